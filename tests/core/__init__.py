"""The values, the ports and the record."""
