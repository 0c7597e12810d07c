"""The board: claims, a claim, a slot with its form, and flags."""
