"""Cost against number of connections and against size of output, as one SVG on logarithmic axes."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, MARGIN = 520, 360, 64
COLOURS = ["#0b6e99", "#444444", "#c2571a", "#6b8e23"]


class Axes:
    """Places values of both axes within a panel."""

    def __init__(self, left, points):
        self.left = left
        self.x = self.extent([x for x, _ in points])
        self.y = self.extent([y for _, y in points])

    @staticmethod
    def extent(values):
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return low, max(high, low + 1)

    def place(self, x, y):
        across = (math.log10(x) - self.x[0]) / (self.x[1] - self.x[0])
        up = (math.log10(y) - self.y[0]) / (self.y[1] - self.y[0])
        return self.left + MARGIN + across * (WIDTH - 2 * MARGIN), HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN)


def text(x, y, words, anchor="middle", size=12):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def panel(left, title, across, series, unit=1):
    """One diagram: CPU seconds by `count / unit`."""
    lines = {name: [(p["count"] / unit, p["cpu"]) for p in points if p["cpu"] > 0] for name, points in series.items()}
    lines = {name: points for name, points in lines.items() if points}
    if not lines:
        return []
    axes = Axes(left, [point for points in lines.values() for point in points])
    parts = [text(left + WIDTH / 2, 28, title, size=15), text(left + WIDTH / 2, HEIGHT - 20, across),
             text(left + MARGIN, 52, "client CPU, s", "start")]
    for power in range(axes.x[0], axes.x[1] + 1):
        x, bottom = axes.place(10.0**power, 10.0 ** axes.y[0])
        _, top = axes.place(10.0**power, 10.0 ** axes.y[1])
        parts += [f'<path d="M{x:.1f} {bottom:.1f}V{top:.1f}" stroke="#ddd"/>', text(x, bottom + 18, f"{10.0**power:g}")]
    for power in range(axes.y[0], axes.y[1] + 1):
        start, y = axes.place(10.0 ** axes.x[0], 10.0**power)
        end, _ = axes.place(10.0 ** axes.x[1], 10.0**power)
        parts += [f'<path d="M{start:.1f} {y:.1f}H{end:.1f}" stroke="#ddd"/>', text(start - 6, y + 4, f"{10.0**power:g}", "end")]
    for index, (name, points) in enumerate(lines.items()):
        colour = COLOURS[index % len(COLOURS)]
        places = [axes.place(*point) for point in points]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        key = 70 + 16 * index
        parts.append(f'<rect x="{left + MARGIN + 10}" y="{key - 9}" width="10" height="10" fill="{colour}"/>')
        parts.append(text(left + MARGIN + 26, key, name, "start"))
    return parts


def svg(growth):
    """The whole drawing."""
    parts = panel(0, "Connections at once", "connections", growth.get("connections", {}))
    parts += panel(WIDTH, "Output of one command", "MiB", growth.get("bytes", {}), 1 << 20)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * WIDTH}" height="{HEIGHT}" font-family="sans-serif">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>", ""])
