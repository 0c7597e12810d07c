"""The tests mirror `src/moot`."""
