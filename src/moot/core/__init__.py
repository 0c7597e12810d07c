"""The values that everything in Moot speaks in, and the ports through which it reaches the world.

Nothing here reads a clock, a file or a socket, and nothing here imports another part of Moot.
"""
