"""The use cases of Moot, and how a program opens it."""
