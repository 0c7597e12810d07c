"""What is written down of one run, piece by piece, until it is a `Written`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.argument.ingest import MAX_CLAIM_LENGTH
from moot.methods.citing.origins import Origin
from moot.methods.written import Written


@dataclass(slots=True)
class GraphDraft:
    """The nodes and edges of a run so far, each node once; it never leaves this package."""

    run_id: str
    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)
    edges: list[dict[str, Any]] = field(default_factory=list)
    ungrounded: dict[str, str] = field(default_factory=dict)
    refuted: dict[str, str] = field(default_factory=dict)
    repairs: list[str] = field(default_factory=list)
    grounds: list[str] = field(default_factory=list)
    """The words of sources that cover what the run says."""

    def given(self, origin: Origin) -> str:
        """Write a sentence of a source down as a given; return its id."""
        return self._node(origin.key, origin.said, "given", source=origin.source)

    def inference(self, key: str, claim: str, premises: Iterable[str]) -> str:
        """Write a step down on its premises, which hold it up together; return its id."""
        node_id = self._node(key, claim, "inference")
        self._join(premises, node_id)
        return node_id

    def assumption(self, key: str, claim: str, problem: str) -> str:
        """Write down what nothing covers, and why not; return its id."""
        node_id = self._node(key, claim, "assumption", ungrounded=True)
        self.ungrounded[node_id] = problem
        return node_id

    def written(self, claim: str, premises: Sequence[str], no_line: str) -> Written:
        """Return the run with its conclusion; without a line nothing holds that up."""
        conclusion = self._node("c", claim, "conclusion")
        if not no_line:
            self._join(premises, conclusion)
        return Written(
            conclusion,
            tuple(self.nodes.values()),
            tuple(self.edges),
            dict(self.ungrounded),
            dict(self.refuted),
            tuple(self.repairs),
            no_line,
        )

    def _join(self, premises: Iterable[str], conclusion: str) -> None:
        group = f"{conclusion}/1"
        self.edges += [
            {"src": premise, "dst": conclusion, "relation": "supports", "group": group}
            for premise in dict.fromkeys(premises)
            if premise != conclusion
        ]

    def _node(self, key: str, claim: str, kind: str, **fields: Any) -> str:
        node_id = f"{self.run_id}:{key}"
        self.nodes.setdefault(node_id, {"id": node_id, "claim": claim[:MAX_CLAIM_LENGTH], "type": kind, **fields})
        return node_id
