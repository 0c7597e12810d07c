"""What the oracles compute with: expressions, exact numbers, polynomials, units, calendars, primes (ruling S7)."""
