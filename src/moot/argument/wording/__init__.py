"""How a claim is worded: its normal form, its words in order, and the lists that the guards read (A2, A18 to A20)."""
