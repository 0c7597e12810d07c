"""The canonical state of a debate and how speeches become part of it (debate 7)."""
