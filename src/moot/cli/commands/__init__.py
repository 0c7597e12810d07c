"""The commands, a file for each: words into use cases. What they print is drawn in `terminal`."""
