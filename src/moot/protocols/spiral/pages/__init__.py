"""What a page shows of a spiral: how far it is, its loops, its figures, its coda. Pure, for running records too."""
