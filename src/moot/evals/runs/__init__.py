"""Running arms and screens over items: a folder of rows that survives being killed, within a budget."""
