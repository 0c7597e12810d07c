"""What goes on in the background of a process: runs, and when those that stopped are looked at again."""
