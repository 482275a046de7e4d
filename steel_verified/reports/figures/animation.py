"""Figure 1 as an animation with one frame for each call: a page with buttons."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.reports.figures.discovery import spelled
from steel_verified.reports.graphs import as_svg, graph
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.evidence.codec import Json
    from steel_verified.reports.figures.discovery import Pane
    from steel_verified.reports.graphs import Graph
    from steel_verified.worlds.instances import Instance

_PIXELS: Final = 60
"""The distance between neighbouring states on a page."""
_WORD: Final = 40
_MOST_ARROWS: Final = 200_000
"""The largest number of arrows in all frames together."""


def told(pane: Pane, drawn: Graph) -> str:
    """A sentence about what one call found."""
    known = len(pane.known | pane.cycle)
    return (
        f"{known} of {counted(len(drawn.arrows), 'transition')} known, {len(pane.new)} new; "
        f"{len(pane.seen)} of {counted(len(drawn.states), 'state')}"
    )


def animated(chosen: Instance, panes: Sequence[Pane]) -> bytes:
    """The discovery of a world as a self-contained page; the same world gives the same bytes.

    `panes` are those of `discovery(chosen)`. The graph is drawn once, and each frame changes its
    colours. Raises `InvalidArgument` if the world is too large.
    """
    drawn = graph(chosen.dynamics, chosen.layout)
    if (arrows := len(panes) * len(drawn.arrows)) > _MOST_ARROWS:
        raise InvalidArgument(
            "animate",
            chosen.name,
            f"a smaller world: {len(panes):,} frames of {len(drawn.arrows):,} arrows each are "
            f"{arrows:,}, and {_MOST_ARROWS:,} are allowed; --discovery draws some of the calls",
        )
    numbers = {arrow.transition: number for number, arrow in enumerate(drawn.arrows)}
    frames: list[Json] = [
        {
            "word": spelled(pane.word, chosen, _WORD),
            "told": told(pane, drawn),
            "steps": pane.steps,
            "ends": pane.ends,
            "seen": sorted(pane.seen),
            "cycle": sorted(numbers[step] for step in pane.cycle),
            "new": sorted(numbers[step] for step in pane.new),
        }
        for pane in panes
    ]
    # No "<" may end the script early, whatever a world is called.
    data = json.dumps(frames, separators=(",", ":")).replace("<", "\\u003c")
    text = PAGE_TEXT
    for mark, filling in (
        ("{{world}}", escape(chosen.name)),
        ("{{calls}}", str(len(panes))),
        ("{{graph}}", str(as_svg(drawn, _PIXELS / drawn.unit, "transition graph", magnified=2.2))),
        ("{{frames}}", data),
    ):
        text = text.replace(mark, filling)
    return text.encode()


PAGE_TEXT: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>STEEL discovers {{world}}</title>
<style>
  body { font: 16px/1.4 system-ui, sans-serif; color: #1f2a30; background: #fff;
         max-width: 56rem; margin: 1.5rem auto; padding: 0 1rem; text-align: center; }
  h1 { font-size: 1.2rem; margin: 0 0 .3rem; }
  p { margin: .3rem 0; }
  svg { width: 100%; height: auto; max-height: 68vh; margin: .6rem auto; display: block; }
  path { fill: none; stroke: #b9c3ca; stroke-width: 1.3; }
  polygon { fill: #b9c3ca; }
  circle { fill: #fff; stroke: #b9c3ca; stroke-width: 1.6; }
  text { fill: #9aa7af; text-anchor: middle; }
  .known path { stroke: #1f2a30; } .known polygon { fill: #1f2a30; }
  .cycle path { stroke: #d7301f; } .cycle polygon { fill: #d7301f; }
  .new path { stroke-width: 3.4; }
  .seen circle { stroke: #1f2a30; } .seen text { fill: #1f2a30; }
  .here circle { fill: #d7301f; stroke: #d7301f; } .here text { fill: #fff; }
  code { font-size: 1rem; overflow-wrap: anywhere; }
  .key { font-size: .85rem; color: #52616a; } .key b { font-weight: 600; color: #d7301f; }
  .controls { display: flex; gap: .5rem; align-items: center; max-width: 34rem; margin: auto; }
  .controls input { flex: 1; accent-color: #d7301f; }
  button { font: inherit; min-width: 2.6rem; padding: .2rem .6rem; }
</style>
</head>
<body>
<h1>STEEL discovers {{world}}, cycle by cycle</h1>
<p aria-live="polite"><span id="call"></span> <code id="word"></code><br><span id="told"></span></p>
{{graph}}
<div class="controls">
  <button id="back" aria-label="previous call">&#8592;</button>
  <button id="play">play</button>
  <button id="next" aria-label="next call">&#8594;</button>
  <input id="frame" type="range" min="1" max="{{calls}}" value="1" aria-label="call">
</div>
<p class="key">Grey: unknown. Black: known before the call. <b>Red</b>: the cycle that it loops
through, bold where it is new. Filled: where the agent is when the call ends.<br>
Keys: left, right, space.</p>
<noscript><p>Leafing through the calls needs JavaScript.</p></noscript>
<script type="application/json" id="data">{{frames}}</script>
<script>
"use strict";
const get = id => document.getElementById(id);
const frames = JSON.parse(get("data").textContent);
const arrows = [...get("arrows").children], states = [...get("states").children];
let timer = null;
function show(number) {
  const frame = frames[number - 1], known = new Set(), seen = new Set(frame.seen);
  frames.slice(0, number - 1).forEach(f => f.cycle.forEach(t => known.add(t)));
  const cycle = new Set(frame.cycle), fresh = new Set(frame.new);
  arrows.forEach((g, t) => {
    g.setAttribute("class", (known.has(t) ? "known " : "") + (cycle.has(t) ? "cycle " : "")
      + (fresh.has(t) ? "new" : ""));
    if (cycle.has(t)) g.parentNode.append(g);
  });
  states.forEach((g, s) => g.setAttribute("class",
    (seen.has(s) ? "seen " : "") + (s === frame.ends ? "here" : "")));
  get("call").textContent = `Call ${number} of ${frames.length}, `
    + `${frame.steps.toLocaleString("en")} ${frame.steps === 1 ? "step" : "steps"}: loops`;
  get("word").textContent = frame.word;
  get("told").textContent = frame.told;
  get("frame").value = number;
}
const now = () => Number(get("frame").value);
const go = by => show(Math.min(frames.length, Math.max(1, now() + by)));
function stop() { clearInterval(timer); timer = null; get("play").textContent = "play"; }
function play() {
  if (timer !== null) return stop();
  if (now() === frames.length) show(1);
  get("play").textContent = "pause";
  timer = setInterval(() => now() < frames.length ? go(1) : stop(), 900);
}
get("back").onclick = () => { stop(); go(-1); };
get("next").onclick = () => { stop(); go(1); };
get("play").onclick = play;
get("frame").oninput = () => { stop(); show(now()); };
document.onkeydown = event => {
  if (event.target.tagName === "INPUT" || event.target.tagName === "BUTTON") return;
  if (event.key === "ArrowLeft") { stop(); go(-1); }
  else if (event.key === "ArrowRight") { stop(); go(1); }
  else if (event.key === " ") { event.preventDefault(); play(); }
};
show(1);
</script>
</body>
</html>
"""
