"""How drawings and panes look, for pages and for the export alike: the colours once, and the rules that use them."""

import re
from collections.abc import Mapping

_NAMED = re.compile(r"var\(--([a-z0-9-]+)\)")

_WITH_ANOTHER = re.compile(r"var\(--[a-z0-9-]+,([^()]*)\)")

PALETTE: Mapping[str, tuple[str, str]] = {
    "ink": ("#17202e", "#e7ebf3"),
    "soft": ("#526075", "#a3afc2"),
    "line": ("#dfe4ec", "#2c3545"),
    "paper": ("#ffffff", "#10141c"),
    "wash": ("#f5f7fb", "#171d28"),
    "card": ("#ffffff", "#141a24"),
    "chosen": ("#e9eff7", "#1f2937"),
    "accent": ("#1f55c4", "#8fb0ff"),
    "on-accent": ("#ffffff", "#0e1520"),
    "good": ("#166b41", "#5fd197"),
    "warn": ("#8a4a05", "#efb264"),
    "bad": ("#b3261e", "#ff8d84"),
    "now": ("#5b35c4", "#bba6ff"),
    "good-wash": ("#e7f5ed", "#10271b"),
    "warn-wash": ("#fdf1e1", "#2b1f0e"),
    "bad-wash": ("#fdeceb", "#331614"),
    "now-wash": ("#f0ebfd", "#201838"),
    "seat-1": ("#0062a3", "#6fb8f2"),
    "seat-2": ("#b04a00", "#f4a15d"),
    "seat-3": ("#00755a", "#4fcfae"),
    "seat-4": ("#98407a", "#eb9ccb"),
    "seat-5": ("#6a4bc4", "#b8a4ff"),
    "seat-6": ("#7a5a00", "#dcbb52"),
    "seat-7": ("#b02a45", "#ff95a6"),
    "seat-8": ("#2c6e8f", "#82c8e6"),
    "seat-9": ("#4d6b10", "#b2d36b"),
    "seat-10": ("#7d3fa8", "#d6a5f5"),
    "seat-11": ("#8d4a34", "#e8ab95"),
    "seat-12": ("#3d5a80", "#a3c0e6"),
}
"""The colours of all pages, by day and by night."""

DRAWING_PALETTE: Mapping[str, tuple[str, str]] = {
    "given": ("#1f66ad", "#7fb6f0"),
    "assumed": ("#99600c", "#e3ad57"),
    "support-1": ("#1c6bb0", "#76b5f5"),
    "support-2": ("#0a7d5c", "#52cfa8"),
    "support-3": ("#a3471b", "#f39a6a"),
    "support-4": ("#7a3fb0", "#c9a1f7"),
    "support-5": ("#9c3a63", "#f096bb"),
    "support-6": ("#5c6b00", "#c3cf5b"),
    "support-7": ("#00707e", "#5fcbd8"),
    "support-8": ("#7d5300", "#dcb061"),
}
"""The colours of drawings alone."""


def _declared(palette: Mapping[str, tuple[str, str]]) -> str:
    return "".join(f"--{name}:light-dark({day},{night});" for name, (day, night) in palette.items())


PALETTE_CSS = f":root{{color-scheme:light dark;{_declared(PALETTE)}}}\n"

_KIND = {"conclusion": "good", "given": "given", "inference": "soft", "assumption": "assumed"}
_RELATION = {"supports": "soft", "assumes": "assumed", "attacks": "bad"}
_LINES = {f"line-{number}": f"support-{number}" for number in range(1, 9)}

GRAPH_CSS = """
.graph text{font:12px system-ui,"DejaVu Sans",sans-serif;fill:var(--ink);unicode-bidi:isolate}
.graph.fitting{max-width:100%;height:auto}
.graph .paper{fill:var(--paper)}
.graph a{text-decoration:none;cursor:pointer}
.graph .box{fill:var(--card);stroke-width:1.3}
.graph .edge path{fill:none;stroke-width:1.1}
.graph .edge .head{stroke:none}
.graph .edge.together path{stroke-width:1.4}
.graph .joint path{stroke-width:2}
"""
GRAPH_CSS += "".join(
    f".graph .{kind} .box{{stroke:var(--kind,var(--{colour}))}}\n"
    f".graph .{kind} .stripe{{fill:var(--kind,var(--{colour}))}}\n"
    for kind, colour in _KIND.items()
)
GRAPH_CSS += "".join(
    f".graph .{name}.edge path{{stroke:var(--{colour})}}\n"
    f".graph .{name}.edge .head,.graph .{name} .dot{{fill:var(--{colour})}}\n"
    for name, colour in {**_RELATION, **_LINES}.items()
)
GRAPH_CSS += "".join(f".graph .{name} .disc{{fill:var(--{colour})}}\n" for name, colour in _LINES.items())
GRAPH_CSS += """
.graph .on-line.edge path{stroke-width:2.4}
.graph .conclusion .box{stroke-width:2.2;fill:var(--good-wash)}
.graph .assumption .box{stroke-dasharray:5 3}
.graph .undecided .box{stroke-dasharray:1.5 3;stroke-linecap:round}
.graph .falls .box{fill:var(--bad-wash);stroke:var(--bad)}
.graph .falls .claim{text-decoration:line-through}
.graph .ring{fill:none;stroke:var(--warn);stroke-width:2.2}
.graph .kind{font-size:10px;fill:var(--soft)}
.graph .mark{text-anchor:end;font-size:10px;font-weight:600;fill:var(--soft)}
.graph .mark.tone-good{fill:var(--good)}
.graph .mark.tone-warn{fill:var(--warn)}
.graph .mark.tone-bad{fill:var(--bad)}
.graph .mark.tone-now{fill:var(--now)}
.graph .more{font-size:11px;font-weight:600;fill:var(--soft)}
.graph .disc{stroke:var(--card);stroke-width:1.5}
.graph .number{font-size:10px;font-weight:700;fill:var(--paper)}
.graph .assumes.edge path{stroke-dasharray:5 3}
.graph .assumes.edge .head{fill:var(--card);stroke:var(--assumed);stroke-width:1.2;stroke-dasharray:none}
.graph .attacks.edge path{stroke-width:1.7}
.graph .attacks.edge .head{fill:none;stroke:var(--bad);stroke-width:1.7}
.graph .circle.edge path{stroke-dasharray:2 3}
.graph .on-line.edge .head{stroke:none}
.graph .node:focus-visible{outline:none}
.graph .node:focus-visible .box,.graph .node.chosen .box{stroke:var(--accent);stroke-width:3;stroke-dasharray:none}
.graph .dim{opacity:.22}
"""

LINE_CSS = "".join(f".{name}{{--road:var(--{colour})}}\n" for name, colour in _LINES.items())
SEAT_CSS = "".join(f".seat-{number}{{--hue:var(--seat-{number})}}\n" for number in range(1, 13))

CHART_CSS = """
.chart{margin:.4rem 0 .8rem}
.chart svg{max-width:100%;height:auto;min-width:36rem;display:block}
.chart.small svg,.chart.matrix svg,.chart.several svg{min-width:0}
.chart.paths svg{max-width:none;min-width:0}
.chart text{font:11px system-ui,"DejaVu Sans",sans-serif;fill:var(--soft);unicode-bidi:isolate}
.chart .grid{stroke:var(--line);stroke-width:1;fill:none}
.chart .threshold{stroke:var(--soft);stroke-width:1;stroke-dasharray:4 4;fill:none}
.chart .aside{paint-order:stroke;stroke:var(--card);stroke-width:3}
.chart .place{font-size:10px}
.chart .end,.chart .head{font-weight:600;fill:var(--ink)}
.chart .cell{font-weight:600;fill:var(--ink)}
.chart .hued{fill:var(--hue)}
.chart .series{--hue:var(--accent)}
.chart .series.tone-good{--hue:var(--good)}
.chart .series.tone-warn{--hue:var(--warn)}
.chart .series.tone-bad{--hue:var(--bad)}
.chart .series.tone-now{--hue:var(--now)}
.chart .series.tone-soft{--hue:var(--soft)}
.chart .series .way{fill:none;stroke:var(--hue);stroke-width:2}
.chart .series .dot{fill:var(--hue);stroke:var(--hue);stroke-width:1.4}
.chart .series.dashed .way{stroke-dasharray:5 4;stroke-width:1.5}
.chart .series.dashed .dot{fill:var(--card)}
.chart .end.series{fill:var(--hue)}
.chart .heat{fill:var(--good)}
.chart .none{fill:var(--wash)}
.chart .telling{visibility:hidden}
.chart .told:hover .telling,.chart .told:focus .telling{visibility:visible}
.chart .told:focus{outline:none}
.chart .told:focus rect{stroke:var(--accent);stroke-width:2.5}
.chart .bar{fill:var(--hue,var(--soft))}
.chart .bar.failed{fill:var(--warn-wash);stroke:var(--warn);stroke-width:1.5}
.chart .bar.running{fill-opacity:.45;stroke:var(--hue);stroke-dasharray:3 2}
.chart .interval path{fill:none;stroke:var(--hue);stroke-width:1.8}
.chart .interval circle{fill:var(--hue)}
.chart .interval.hollow circle{fill:var(--card);stroke:var(--hue);stroke-width:2}
.chart .interval.hollow path{stroke-dasharray:5 3}
.chart .stratum rect{fill:var(--accent);fill-opacity:.3}
.chart .stratum path{fill:none;stroke:var(--accent);stroke-width:1.8}
.chart .stratum circle{fill:var(--accent)}
.chart .count{fill:var(--accent);fill-opacity:.75;stroke:var(--card)}
.chart .spot rect{fill:var(--card);stroke:var(--road,var(--soft));stroke-width:1.4}
.chart .words{font-size:12px;fill:var(--ink)}
.chart .link path{fill:none;stroke:var(--line);stroke-width:1.4}
.chart .link .head{fill:var(--soft);stroke:none}
.chart .road path{fill:none;stroke:var(--road);stroke-width:2.4}
.chart .road .head{fill:var(--road);stroke:none}
.chart figcaption{font-size:.86rem;color:var(--soft)}
.chart.several .scroll{display:flex;flex-wrap:wrap;gap:1rem}
.multiples{display:flex;flex-wrap:wrap;gap:.4rem 1rem}
.chart.small{margin:.2rem 0;min-width:6.5rem}
.figures{font-size:.86rem;color:var(--soft);margin-top:.3rem}
.figures table{width:auto}
.figures th,.figures td{overflow-wrap:anywhere}
.path-names{list-style:none;padding:0;margin:.3rem 0;font-size:.9rem}
.path-names .dash{display:inline-block;width:1.1rem;height:.25rem;background:var(--road);vertical-align:middle;
margin-right:.4rem}
"""

PANE_CSS = """
.drawing-key{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;margin:.4rem 0;padding:0;font-size:.86rem;
color:var(--soft)}
.drawing-key .graph{vertical-align:-.15em}
.pane h3,.pane h4{font-size:.97rem;margin:.9rem 0 .3rem}
.soft{color:var(--soft)}
.items{list-style:none;margin:.2rem 0;padding:0}
.items li{padding:.22rem 0}
.items .items{padding-left:1.1rem;border-left:2px solid var(--line);margin:.2rem 0 .2rem .3rem}
.items blockquote{margin:.3rem 0;padding:.15rem 0 .15rem .8rem;border-left:3px solid var(--line);color:var(--soft)}
.seats{display:inline-flex;gap:.12rem;vertical-align:text-bottom}
.on-bad{color:var(--bad)}
.on-warn{color:var(--warn)}
.on-good{color:var(--good)}
.on-soft{color:var(--soft)}
.event-link{font-size:.8rem;white-space:nowrap}
.part{display:grid;grid-template-columns:8.5rem minmax(0,1fr);gap:0 1rem;padding:.6rem 0;
border-top:1px solid var(--line)}
.part>div>h3{margin:0}
.part>div>h3+small{display:block}
.part>div>.items:first-child,.part>div>p:first-child{margin-top:0}
.written{white-space:pre-wrap}
.diff{white-space:pre-wrap}
.diff del{background:var(--bad-wash);color:var(--bad)}
.diff ins{background:var(--good-wash);color:var(--good);text-decoration:underline}
.struck td{text-decoration:line-through;color:var(--soft)}
.pane-table td .items{font-size:.9rem}
.pane-table caption{text-align:left;color:var(--soft);font-size:.9rem}
.pane-table th,.pane-table .whole{overflow-wrap:normal}
.choosing{display:flex;flex-wrap:wrap;gap:.4rem .9rem;align-items:center;margin:.2rem 0 .5rem;font-size:.9rem}
.choice{display:flex;flex-wrap:wrap;gap:.3rem .6rem;align-items:center;margin:.2rem 0 .6rem;font-size:.9rem}
.choice ol{display:flex;flex-wrap:wrap;gap:.25rem;list-style:none;margin:0;padding:0}
.choice a{display:inline-block;min-width:24px;min-height:24px;text-align:center;padding:.1rem .5rem;border-radius:.4rem;
border:1px solid var(--line);text-decoration:none;color:var(--ink)}
.choice a[aria-current]{background:var(--chosen);border-color:var(--accent);font-weight:600}
.stages{display:flex;list-style:none;margin:.3rem 0 1rem;padding:0;overflow-x:auto}
.stage{flex:1 0 6.5rem;text-align:center;font-size:.88rem;position:relative;padding:1.3rem .3rem 0;color:var(--soft)}
.stage::before{content:"";position:absolute;top:.5rem;left:0;right:0;border-top:2px solid var(--good)}
.stage::after{content:"";position:absolute;top:.14rem;left:50%;width:.75rem;height:.75rem;margin-left:-.38rem;
border-radius:50%;background:var(--good);border:2px solid var(--good);box-sizing:border-box}
.stage.now::before{border-color:var(--now)}
.stage.now::after{background:var(--now);border-color:var(--now)}
.stage.to-come::before,.stage.skipped::before{border-top:2px dashed var(--line)}
.stage.to-come::after,.stage.skipped::after{background:var(--paper);border:2px dashed var(--soft)}
.stage b{font-weight:500}
.stage.now b{color:var(--now)}
.stage a{color:inherit;text-decoration:none}
.stage a:hover{text-decoration:underline}
.stage small{display:block}
.positions{list-style:none;margin:.3rem 0;padding:0}
.positions li{display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:.7rem;padding:.45rem 0;
border-top:1px solid var(--line)}
.agreement{font-weight:600}
.pane-table td:has(>.items){min-width:8rem}
.pane-table td:last-child:has(>.items){min-width:11rem}
@media(max-width:640px){.part{grid-template-columns:minmax(0,1fr)}}
@media(forced-colors:active){.graph .box,.chart .spot rect{stroke:CanvasText}.stage::after{border-color:CanvasText}}
"""

VIEWS_CSS = f":root{{{_declared(DRAWING_PALETTE)}}}\n{GRAPH_CSS}{LINE_CSS}{SEAT_CSS}{CHART_CSS}{PANE_CSS}"
"""What all that `views` writes needs beside the colours."""


def by_day(css: str) -> str:
    """Return rules with the colours of the day in the place of names, for whoever reads no custom properties."""
    colours = {**PALETTE, **DRAWING_PALETTE}
    plain = _NAMED.sub(lambda match: colours[match[1]][0] if match[1] in colours else match[0], css)
    return _WITH_ANOTHER.sub(r"\1", plain)
