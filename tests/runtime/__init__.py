"""The door, its journal, replay and fork, over a disk that is kept in memory."""
