"""The paper's worked example (section 8): run r1, then a contradicting node by r2."""

from moot.argument import GraphStore

R1_NODES = [
    {"id": "A", "type": "given", "claim": "the survey covers every server in rack 7", "confidence": 0.9},
    {"id": "B", "type": "given", "claim": "server x9 is listed in the rack 7 survey", "confidence": 0.9},
    {"id": "C", "type": "inference", "claim": "server x9 was included in the survey", "confidence": 0.85},
    {"id": "D", "type": "given", "claim": "the survey marks server x9 as running linux", "confidence": 0.9},
    {"id": "E", "type": "inference", "claim": "server x9 can run the cron scheduler", "confidence": 0.8},
    {"id": "Z", "type": "conclusion", "claim": "server x9 can be used for the nightly cron job", "confidence": 0.8},
    {"id": "F", "type": "inference", "claim": "rack 7 has spare capacity", "confidence": 0.6},
]
R1_EDGES = [
    {"src": src, "dst": dst, "relation": "supports", "confidence": confidence}
    for src, dst, confidence in [
        ("A", "C", 0.9),
        ("B", "C", 0.9),
        ("C", "E", 0.8),
        ("D", "E", 0.85),
        ("E", "Z", 0.8),
        ("D", "Z", 0.7),
    ]
]
R2_NODES = [
    {"id": "G", "type": "inference", "claim": "the rack 7 survey is outdated and unreliable", "confidence": 0.6}
]
R2_EDGES = [{"src": "G", "dst": "A", "relation": "attacks", "confidence": 0.6}]


def worked_example():
    store = GraphStore()
    first = store.assert_graph("g", R1_NODES, R1_EDGES, run_id="r1")
    second = store.assert_graph("g", R2_NODES, R2_EDGES, run_id="r2")
    assert first == {"accepted_nodes": 7, "accepted_edges": 6, "rejected": [], "auto_merged": []}
    assert second == {"accepted_nodes": 1, "accepted_edges": 1, "rejected": [], "auto_merged": []}
    return store
