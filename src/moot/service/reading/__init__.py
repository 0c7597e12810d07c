"""What is read of a deliberation, for the API and for pages alike: parts of its record, its argument, how it moves."""
