"""Views of a record: text, Markdown, a page, files. Pure functions; whatever a model or a user wrote is data."""
