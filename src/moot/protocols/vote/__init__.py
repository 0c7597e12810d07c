"""`vote`: independent runs of free text and programs, counted; it stops when the vote is decided."""
