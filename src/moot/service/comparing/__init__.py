"""Several deliberations side by side: what each came to, how, and what it took."""
