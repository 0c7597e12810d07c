"""The page on which deliberations stand side by side."""
