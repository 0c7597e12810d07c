"""An argument as its page shows it: what the address says, what is drawn, and what is told beside it."""
