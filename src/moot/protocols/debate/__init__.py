"""`debate`: agents with roles argue in rounds over one ledger of claims, and vote (debate 1 to 9)."""
