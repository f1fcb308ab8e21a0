"""The figures and tables of the paper on the theorem on the line, which its page calls."""

import json
import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown
from matplotlib_inline.backend_inline import set_matplotlib_formats

import poissonmatch as pm
from poissonmatch.studies.figures.style import styled
from poissonmatch.survival.certificates import boxes, read
from poissonmatch.theory.lipschitz import covers
from poissonmatch.utils.display import PALETTE, POINTS

set_matplotlib_formats("svg", "pdf")
COLORS = [POINTS["green"], POINTS["red"]]
folder = Path(__file__).parents[1] / "data/certificates"
certified = {dim: read(folder / f"d{dim}-cover.json") for dim in (2, 3)}
paths = sorted(folder.glob("*-rho*.json"))
single = [json.loads(path.read_text()) for path in paths]
lowest = {dim: math.ceil(1e4 * cover.ranges[0][0]) / 1e4 for dim, cover in certified.items()}


def table(rows, *names):
    """A table of strings and of mathematics."""
    lines = [names, ["---"] * len(names), *rows]
    return Markdown("\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines))


def power(value, digits=3):
    """A number in scientific notation if it is small or large."""
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    plain = 1e-3 <= value < 1e4
    return f"${value:.{digits + 1}g}$" if plain else rf"${mantissa} \cdot 10^{{{int(exponent)}}}$"


def draw(ax, points, red, partner, size=14):
    """Draw points and the pairs of a matching."""
    for x, y in enumerate(partner):
        if y > x:
            ax.plot(*points[[x, y]].T, color="0.35", lw=0.8, zorder=1)
    ax.scatter(*points.T, s=size, c=[COLORS[int(color)] for color in red], zorder=2, linewidths=0)
    ax.set(aspect="equal", xticks=[], yticks=[])


def error_probability():
    """Return the result of all certificates, for the abstract."""
    total = sum(cover.error_probability for cover in certified.values())
    return Markdown(
        f"Monte Carlo certificates for the infinite process show $u(\\rho) > 0$ for every "
        f"$\\rho \\ge {lowest[2]:g}$ in the plane and every $\\rho \\ge {lowest[3]:g}$ in space, unless an event of a probability of at "
        f"most {power(total, 1)} has occurred. They rest on the program and on its random numbers; the other results do not."
    )


def a_matching():
    """Draw Figure 1."""
    with styled():
        figure, ax = plt.subplots(figsize=(3.6, 3.6), layout="constrained")
        pattern = pm.processes.two_color(pm.Box(13.0, 2), intensities=(1.0, 0.5), rng=5)
        matching = pm.match(pattern, "fussy")
        draw(ax, pattern.points, pattern.colors, matching.partner)
        alone = pattern.points[matching.partner < 0]
        ax.scatter(*alone.T, s=70, facecolors="none", edgecolors=COLORS[1], linewidths=0.9)
        plt.show()


def the_flip():
    """Draw Figure 2."""
    with styled():
        figure, axes = plt.subplots(1, 2, figsize=(6, 2.9), layout="constrained")
        rng = np.random.default_rng(395)
        points = np.vstack([[0.0, 0.0], rng.random((11, 2)) * 4 - 2])
        others = rng.random(11) < 0.35
        for ax, red, title in zip(axes, (False, True), ("0 is green", "0 is red"), strict=True):
            colors = np.append(red, others).astype(int)
            partner = pm.match(pm.Pattern(points, colors, pm.Euclidean(2)), "fussy").partner
            draw(ax, points, colors, partner, 26)
            ax.annotate("0", points[0], xytext=(4, 4), textcoords="offset points")
            ax.set(title=title, xlim=(-2.2, 2.2), ylim=(-2.2, 2.2))
            if not red:
                y = partner[0]
        for ax in axes:
            ax.annotate("$y$", points[y], xytext=(4, 4), textcoords="offset points")
        plt.show()


def survivors_on_the_line():
    """Draw Figure 3."""
    with styled():
        figure, ax = plt.subplots(figsize=(6, 1.5), layout="constrained")
        line = pm.processes.two_color(pm.Torus(110.0, 1), intensities=(1.0, 0.6), rng=3)
        distance = pm.match(line, "fussy").distance
        for row, r in enumerate((0, 1, 4)):
            kept = distance > r
            colors = [COLORS[color] for color in line.colors[kept]]
            ax.scatter(line.points[kept, 0], np.full(kept.sum(), -row), s=9, c=colors, linewidths=0)
            ax.axhline(-row, color="0.8", lw=0.6, zorder=0)
        ax.set(yticks=[0, -1, -2], yticklabels=["$r = 0$", "$r = 1$", "$r = 4$"], xticks=[], ylim=(-2.5, 0.5))
        plt.show()


def unmatched_on_the_line():
    """Return Table 2."""
    lines = {rho: pm.theory.fussy_line(rho) for rho in (1, 0.5, 0.2, 0.1, 0.03, 0.01, 0.001)}
    rows = [
        (
            rho,
            power(line.u, 6),
            power(line.crossing, 4) if line.crossing else 0,
            f"{pm.theory.fussy_dispersion(rho):.3f}",
        )
        for rho, line in lines.items()
    ]
    return table(rows, r"$\rho$", r"$u(\rho)$", "$r$ with $R = G$", "dispersion")


def curves_on_the_line():
    """Draw Figure 4."""
    with styled():
        figure, (left, right) = plt.subplots(1, 2, figsize=(7, 2.6), layout="constrained")
        for rho, style in ((0.5, "-"), (0.2, "--")):
            r = np.geomspace(0.05, 300, 80)
            for color, name, scale in ((0, "green", 1), (1, "red", rho)):
                tails = scale * pm.theory.fussy_line(rho).tail(r, color)
                left.loglog(r, tails, style, color=COLORS[color], label=rf"{name}, $\rho = {rho}$")
        left.set(xlabel="$r$", ylabel="intensity of survivors", ylim=(1e-4, 2), title="(a)")
        left.legend(fontsize=7)
        rhos = np.geomspace(0.005, 3, 20)
        right.loglog(rhos, [pm.theory.fussy_line(rho).u for rho in rhos], color=COLORS[1])
        right.set(xlabel=r"$\rho$", ylabel=r"$u(\rho)$", title="(b)")
        plt.show()


def interval_bounds():
    """Return Table 3."""
    rows = []
    for rho, r, steps in ((1.0, 1.0, 128), (0.6, 1.0, 256), (0.47, 2.0, 1024), (0.41, 2.0, 2048), (0.36, 4.0, 4096)):
        lower, upper = pm.theory.fussy_bounds(rho, r, steps)
        low, high = covers(rho, rho * lower * (1 - 1e-12))
        rows.append(
            (
                rho,
                f"{r:g}",
                steps,
                f"{lower:.4f}",
                f"{upper:.4f}",
                f"$[{math.ceil(1e4 * low) / 1e4}, {math.floor(1e4 * high) / 1e4}]$",
            )
        )
    return table(rows, r"$\rho$", "$r$", "steps", "lower bound", "upper bound", "interval")


def a_box():
    """Draw Figure 5."""
    with styled():
        figure, ax = plt.subplots(figsize=(4, 4), layout="constrained")
        sample = boxes.Boxes(2, 0.5, 4.0, 34.0, 4, "figure", 2.0)
        points, red = boxes.tile_points(sample, 0, 0)
        distance, marked = boxes.influenced(boxes.Points(points, red), sample.box, sample.scale)
        draw(ax, points, red, [], 5)
        ax.scatter(*points[marked].T, s=16, facecolors="none", edgecolors="0.2", linewidths=0.6)
        large = (distance > sample.scale) & ~marked
        ax.scatter(*points[large].T, s=34, c=[COLORS[int(color)] for color in red[large]], linewidths=0)
        for edge, style in ((0.0, "-"), (sample.edge, "--")):
            side = sample.box - 2 * edge
            ax.add_patch(plt.Rectangle((edge, edge), side, side, fill=False, lw=0.9, ls=style))
        ax.set_axis_off()
        plt.show()


def single_certificates():
    """Return Table 4."""
    rows = [
        (
            f["dim"],
            f["ratio"],
            f"{f['scale']:g}",
            f"{f['box']:g}",
            f["boxes"],
            f["packing_bound"],
            f["threshold"],
            power(f["error_probability"], 1),
            power(f["lower_bound"], 1),
            "$[{:.4f}, {:.4f}]$".format(
                *(np.array([np.ceil, np.floor])[k](1e4 * end) / 1e4 for k, end in enumerate(read(path).covers))
            ),
        )
        for f, path in zip(single, paths, strict=True)
    ]
    return table(
        rows, "$d$", r"$\rho$", "$r$", "side of box", "boxes", "$B$", r"$\tau$", "p-value", "$u$ at least", "interval"
    )


def table_of_covers():
    """Return Table 5."""
    rows = []
    for dim, cover in certified.items():
        frame = pd.DataFrame([one.to_dict() for one in cover.done if one.certified])
        for r, part in frame.groupby("scale", sort=False):
            low, high = part["interval"].str[0].min(), part["interval"].str[1].max()
            rows.append(
                (
                    dim,
                    f"$[{low:g}, {high:g}]$",
                    f"{r:g}",
                    len(part),
                    part["counts"].map(len).sum(),
                    power(part["e_value"].min(), 2),
                    power(part["lower_bound"].min(), 1),
                )
            )
    return table(rows, "$d$", r"$\rho$", "$r$", "intervals", "boxes", "e-value", "$u$ at least")


def certified_intervals():
    """Return the extent of the covers."""
    return Markdown(
        "\n\n".join(
            f"In $d = {dim}$, {sum(one.certified for one in cover.done)} of {len(cover.plan)} registered intervals are certified, down to "
            f"$\\rho = {lowest[dim]:g}$; $\\alpha = {power(1 / cover.plan[0].threshold, 1)[1:-1]}$ for each, and {power(cover.error_probability, 1)} for all."
            for dim, cover in certified.items()
        )
    )


def lower_bounds():
    """Draw Figure 6."""
    with styled():
        figure, ax = plt.subplots(figsize=(4, 2.8), layout="constrained")
        for (dim, cover), color in zip(certified.items(), PALETTE, strict=False):
            done = [one for one in cover.done if one.certified]
            ax.hlines(
                [one.lower_bound for one in done],
                *np.transpose([one.interval for one in done]),
                color=color,
                label=f"cover, $d = {dim}$",
            )
            one = pd.DataFrame([f for f in single if f["dim"] == dim])
            ax.plot(one["ratio"], one["lower_bound"], "^", ms=5, color=color, label=rf"single $\rho$, $d = {dim}$")
        ax.set(xlabel=r"$\rho$", ylabel="lower bound of $u$", xscale="log", yscale="log")
        ax.legend(fontsize=7, loc="lower right")
        plt.show()
