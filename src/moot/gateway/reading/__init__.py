"""Text out of PDF, HTML and DOCX, within a time."""
