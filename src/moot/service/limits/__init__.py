"""What a key may spend, over forks and over a day, and how often it may come."""
