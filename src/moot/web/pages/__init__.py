"""The pages that a person sees in a browser."""
