"""What an agent of a debate is sent: the four layers, the window on what was said, the words (debate 1, 3.5, 7)."""
