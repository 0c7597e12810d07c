"""How claims are worded: numbers in words, lists, the usual senses, and what could be read another way (S12)."""
