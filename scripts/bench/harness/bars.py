"""The cost of a fleet compared with other programs, as bars in one SVG."""

from .plot import text

WIDTH, BAR, LEFT, TOP = 720, 18, 190, 58
FIGURES = (("cpu", "client CPU, s", "#0b6e99"), ("wall", "wall, s", "#b8c9d1"))


def svg(scenarios, titles):
    """A panel for each scenario in which several clients were measured."""
    parts, top = [], 0
    for name, rows in scenarios.items():
        if len({row.rpartition(", ")[0] for row in rows}) < 2:
            continue
        panel, height = bars(top, titles[name], rows)
        parts += panel
        top += height
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{max(top, 1)}" font-family="sans-serif">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>", ""])


def bars(top, title, rows):
    """Two bars per client and number of hosts, each number with its own scale."""
    parts = [text(8, top + 24, title, "start", 13)]
    y = top + TOP
    for index, (_, label, colour) in enumerate(FIGURES):
        x = LEFT + 140 * index
        parts.append(f'<rect x="{x}" y="{top + 38}" width="10" height="10" fill="{colour}"/>')
        parts.append(text(x + 16, top + 47, label, "start"))
    longest = {}
    for name, row in rows.items():
        count = name.rpartition(", ")[2]
        longest[count] = max(longest.get(count, 0), row["cpu"], row["wall"])
    for name, row in rows.items():
        parts.append(text(LEFT - 8, y + BAR - 2, f"{name} hosts", "end"))
        for figure, _, colour in FIGURES:
            width = max(1, (WIDTH - LEFT - 70) * row[figure] / longest[name.rpartition(", ")[2]])
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 6}" fill="{colour}"/>')
            parts.append(text(LEFT + width + 6, y + BAR - 8, f"{row[figure]:.2f}", "start", 11))
            y += BAR - 5
        y += 6
    return parts, y - top + 16
