"""What a protocol shows of a record as HTML, for a page and for the export alike.

Whatever a member, a document or a person wrote comes out as text. Every function returns markup that is safe as it is.
"""

from moot.views.pane_html.blocks import block_html, pane_html
from moot.views.pane_html.items import avatar, avatars
from moot.views.pane_html.links import PaneLinks, seat_numbers
from moot.views.pane_html.standing import stages_html, standing_html, why_html

__all__ = [
    "PaneLinks",
    "avatar",
    "avatars",
    "block_html",
    "pane_html",
    "seat_numbers",
    "stages_html",
    "standing_html",
    "why_html",
]
