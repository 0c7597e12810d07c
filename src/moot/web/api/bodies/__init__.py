"""What callers send and get, as values with examples; the OpenAPI document is made of these."""
