"""A council for Moot: blind answers, anonymous rankings by every member, and a chairman who writes the answer.

`protocol.py` is the three stages, `rules.py` decides everything that can be decided without a model, `prompts.py` is
what members read. `verdicts.py`, `details.py` and `report.py` tell what came out; `estimate.py` what it will take.
"""
