"""The figures as text: a table a scenario, then the goals."""

import os

from .clients import LIBRARY, LIMIT
from .goals import is_met

COLUMNS = {
    "cpu": ("CPU s", "{:.3f}"), "wall": ("wall s", "{:.3f}"), "peakKiB": ("peak MiB", None),
    "serverCpuMs": ("server ms", "{:.2f}"), "aSecond": ("a second", "{:.0f}"), "ceiling": ("ceiling", "{:.0f}"),
    "roundTrips": ("round trips", "{:.1f}"), "perConnectionKiB": ("KiB/conn.", "{:.0f}"),
    "ownPerConnectionKiB": ("own KiB/conn.", "{:.0f}"),
}


def cell(key, value):
    if value is None:
        return ""
    form = COLUMNS[key][1]
    return form.format(value) if form else f"{value / 1024:.1f}"


def table(title, figures):
    """One scenario, with the ratio of each client's CPU time to plain C's, if that was measured too."""
    keys = [key for key in COLUMNS if any(key in row for row in figures.values())]
    lines = [title, "  " + " " * 44 + "".join(f"{COLUMNS[key][0]:>13}" for key in keys) + f"{'CPU / C':>10}"]
    for name, row in figures.items():
        limit = limit_of(name, figures)
        share = f"{row['cpu'] / limit:.2f}" if limit else ""
        lines.append(f"  {name:<44}" + "".join(f"{cell(key, row.get(key)):>13}" for key in keys) + f"{share:>10}")
    return "\n".join(lines)


def bound(results):
    """Why the number of commands per second is limited; empty if that was not measured."""
    one, many = results.get("sequence", {}).get(LIBRARY), results.get("parallel", {}).get(LIBRARY)
    if not one or not many:
        return ""
    return (f"sshd and the commands it starts take {many['serverCpuMs']:.1f} ms of CPU a command, so that {os.cpu_count()} cores run at "
            f"most {many['ceiling']:.0f} a second: {many['ceiling'] / one['aSecond']:.2f} of one after another, with a client that "
            f"takes nothing.")


def limit_of(name, figures):
    """Plain C's CPU time for the same work: the row whose name differs only in the client."""
    parts = name.split(", ")
    for index in range(len(parts)):
        other = ", ".join([*parts[:index], LIMIT, *parts[index + 1:]])
        if other in figures:
            return figures[other]["cpu"]
    return None


def growth(axes):
    """CPU and peak memory for each counted unit."""
    lines = ["growth: CPU of one of each, and the peak memory of all"]
    for axis, clients in axes.items():
        unit = 1 << 20 if axis == "bytes" else 1
        name_of_unit = "MiB read" if axis == "bytes" else axis
        for name, points in clients.items():
            cells = [f"{point['count'] // unit}: {1000 * point['cpu'] / of(axis, point, unit):.3f} ms"
                     f", {point['peakKiB'] / 1024:.0f} MiB" for point in points]
            lines.append(f"  {name_of_unit}, {name}:  " + ";  ".join(cells))
    return "\n".join(lines)


def of(axis, point, unit):
    """The divisor of a point's cost: its number, except for channels, where the number of commands is constant."""
    return point["commands"] if axis == "channels" else point["count"] / unit


def goals(rows):
    lines = ["goals"]
    for what, measured, limit, sense in rows:
        verdict = "met" if is_met(measured, limit, sense) else "NOT MET"
        lines.append(f"  {what:<58}{measured:>9.2f}  {sense} {limit:<6g}{verdict}")
    return "\n".join(lines)
