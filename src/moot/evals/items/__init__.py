"""Items with known answers: where they are read from, in which formats, and how answers are graded."""
