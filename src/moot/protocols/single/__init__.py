"""`single`: one member, asked once. The baseline that a deliberation has to beat."""
