"""Does deliberation pay? Arms over the service, on items with known answers, at stated cost (interrogation 5)."""
