"""`interrogation`: independent runs, merged into one argument graph and cross-examined (interrogation 4)."""
