"""The API under /api/v1: one module for each of its parts."""
