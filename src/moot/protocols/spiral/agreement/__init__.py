"""How far a panel agrees: pairs judged, compared and measured (spiral 5.1 and 5.2)."""
