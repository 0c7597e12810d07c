"""A folder of results for people: the summary, as Markdown and as pictures."""
