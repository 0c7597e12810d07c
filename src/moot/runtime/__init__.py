"""The door's machinery: how a step is journaled, sent, parsed, charged, resumed, replayed and forked.

It is handed the ports of `core` and imports neither `gateway` nor `store`.
"""
