"""The rules of the house as data, and what a source text does against them."""
