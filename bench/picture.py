"""Draws a results file: above, how many times as fast as Debian's llhttp; below, time for whole heads against the
fastest other parsers. Colours are of middle lightness on a clear ground, so that it can be read on light and dark
pages."""

import matplotlib

import committed

matplotlib.use("svg")
import matplotlib.pyplot as plt

INK = "#767676"
COLOURS = {
    "ours-avx2": "#2f81f7",
    "tape-avx2": "#2f81f7",
    "ours-neon": "#2f81f7",
    "tape-neon": "#2f81f7",
    "ours-sse4.2": "#2da44e",
    "tape-sse4.2": "#2da44e",
    "ours-generic": "#a475f9",
    "tape-generic": "#a475f9",
    "llhttp-msse4.2": "#9a9a9a",
    "debian": "#9a9a9a",
    "pico": "#d4842a",
    "httparse": "#cf5f6b",
}
LABELS = {
    "ours-avx2": "this library, AVX2",
    "ours-sse4.2": "this library, SSE4.2",
    "ours-neon": "this library, NEON",
    "ours-generic": "this library, portable",
    "llhttp-msse4.2": "llhttp, -msse4.2",
    "tape-avx2": "this library, AVX2",
    "tape-neon": "this library, NEON",
    "pico": "picohttpparser, SSE4.2",
    "httparse": "httparse",
}
MEAN = "mean of ten"


def bars(axes, title, rows, peers, value, interval, text, mark=None):
    """Groups of horizontal bars, the first row on top; a mark is a line that labels keep clear of."""
    height = 0.8 / len(peers)
    for i, peer in enumerate(peers):
        for j, row in enumerate(rows):
            length = value(row, peer)
            if length is None:
                continue
            at = j - 0.4 + (i + 0.5) * height
            axes.barh(
                at, length, height * 0.88, color=COLOURS[peer], label=LABELS[peer] if j == 0 else None, linewidth=0
            )
            low, high = interval(row, peer) or (length, length)
            axes.plot([low, high], [at, at], color=INK, linewidth=1.2, solid_capstyle="butt")
            end = max(length, high)
            if mark is not None and 0.82 * mark < end < mark:
                end = mark
            axes.annotate(
                text(length), (end, at), xytext=(4, 0), textcoords="offset points", va="center", fontsize=7.5, color=INK
            )
    axes.set_yticks(range(len(rows)), rows)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(INK)
    axes.tick_params(colors=INK, length=0)
    axes.margins(y=0.01)
    if mark is not None:
        axes.axvline(mark, color=INK, linewidth=1, linestyle=(0, (3, 3)), zorder=0)
    axes.set_title(title, color=INK, fontsize=10, loc="left", pad=22)
    axes.legend(
        frameon=False,
        labelcolor=INK,
        fontsize=8.5,
        ncols=len(peers),
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0,
        handlelength=1.2,
        columnspacing=1.5,
    )


def draw(kept, path):
    node, heads = kept["sets"].get("node"), kept["sets"].get("heads")
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "bench", "font.family": "sans-serif", "font.size": 9})
    rows_above, peers_above, faster = [], [], {}
    if node:
        ten = kept["groups"]["geomean"]
        faster = {(c["corpus"], c["peer"]): c["faster"] for c in node["cells"]}
        faster |= {(m["of"], m["peer"]): m["faster"] for m in node["means"] if m["of"] == MEAN}
        rows_above = [r for r in [*ten, MEAN] if any(key[0] == r for key in faster)]
        peers_above = [p for p in LABELS if any(key[1] == p for key in faster)]
    rows_below, peers_below, times = [], [], {}
    if heads:
        times = {(c["corpus"], c["peer"]): c["ns"] for c in heads["cells"]}
        rows_below = [r for r in kept["groups"]["heads"] if any(key[0] == r for key in times)]
        peers_below = [p for p in LABELS if any(key[1] == p for key in times)]
    panels = [(rows, peers) for rows, peers in ((rows_above, peers_above), (rows_below, peers_below)) if rows and peers]
    if not panels:
        raise SystemExit("report: nothing to draw: neither the set node nor the set heads was measured")
    heights = [len(rows) * (0.13 * len(peers) + 0.14) for rows, peers in panels]
    figure, axes = plt.subplots(
        len(panels), 1, figsize=(8.4, sum(heights) + 0.95 * len(panels)), height_ratios=heights, squeeze=False
    )
    axes = list(axes[:, 0])
    if rows_above and peers_above:
        bars(
            axes.pop(0),
            "Times as fast as llhttp 9.4.3 from Debian; the 8 callbacks that Node sets",
            rows_above,
            peers_above,
            lambda r, p: (faster.get((r, p)) or [None])[0],
            lambda r, p: (faster.get((r, p)) or [0])[1:],
            lambda v: f"{v:.2f}",
            mark=1,
        )
    if rows_below and peers_below:
        bars(
            axes.pop(0),
            "Nanoseconds to find the spans of a whole message, no callbacks (less is better)",
            rows_below,
            peers_below,
            lambda r, p: (times.get((r, p)) or [None] * 3)[2],
            lambda r, p: (lambda t: (t[1], t[3]) if t else None)(times.get((r, p))),
            lambda v: f"{v:.0f}",
        )
    about = kept.get("about", {})
    figure.text(
        0.995,
        0.004,
        f"{about.get('cpu', '')}, {about.get('date', '')}",
        ha="right",
        va="bottom",
        color=INK,
        fontsize=7.5,
    )
    figure.tight_layout(rect=(0, 0.02, 1, 1))
    source = f"bench/results, fingerprint {committed.fingerprint(kept)}"
    figure.savefig(path, transparent=True, metadata={"Date": None, "Source": source})
    plt.close(figure)
