"""What the pages of deliberations show: the list as its address asks for it, an answer and what stands around it."""
