"""Arguments as graphs: claims, what supports and attacks them, and what the shape alone can tell (interrogation 3).

The package stands alone: it imports nothing else of Moot. `GraphStore` is the door.
"""

from moot.argument.exports import FORMATS
from moot.argument.graph import Edge, Node
from moot.argument.sources import Sentence, Source
from moot.argument.store import GraphError, GraphStore

__all__ = ["FORMATS", "Edge", "GraphError", "GraphStore", "Node", "Sentence", "Source"]
