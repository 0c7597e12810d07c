"""What a person sees at a terminal: progress, results, transcripts, claims, and a turn of their own."""
