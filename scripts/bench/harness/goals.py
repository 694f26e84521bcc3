"""The goals, as ratios within one run on one machine."""

from .clients import LIBRARY, LIMIT


def ratio(results, scenario, figure, ours, theirs):
    """The ratio of `ours` to `theirs`; None if either was not measured."""
    try:
        mine, other = results[scenario][ours][figure], results[scenario][theirs][figure]
    except KeyError:
        return None
    return mine / other if other else None


def more_trips(results):
    """By how many round trips bridge-ssh exceeds ssh; None if they were not measured."""
    ours, theirs = (figure(results, "cold", name, "roundTrips") for name in (LIBRARY, "ssh"))
    return None if ours is None or theirs is None else round(ours - theirs)


def goals(results, sizes):
    """Each goal as (name, measured, limit, whether the limit is an upper or a lower one)."""
    count = sizes.connections
    rows = [
        ("cold: CPU of ssh's", ratio(results, "cold", "cpu", LIBRARY, "ssh"), 0.15, "at most"),
        ("cold: wall of ssh's", ratio(results, "cold", "wall", LIBRARY, "ssh"), 0.6, "at most"),
        ("cold: round trips more than ssh's", more_trips(results), 0, "at most"),
        ("start-up: wall of ssh -V", ratio(results, "startup", "wall", "bridge-ssh --help", "ssh -V"), 2.0, "at most"),
        ("read: CPU of plain C's", ratio(results, "read", "cpu", LIBRARY, LIMIT), 1.0, "at most"),
    ]
    for piece in sizes.pieces:
        name = f"pieces of {piece}"
        rows.append((f"write, {name}: CPU of plain C's",
                     ratio(results, "write", "cpu", f"{LIBRARY}, {name}", f"{LIMIT}, {name}"), 1.0, "at most"))
    rows += [
        ("one after another: CPU of plain C's", ratio(results, "sequence", "cpu", LIBRARY, LIMIT), 2.0, "at most"),
        ("one after another: wall of plain C's", ratio(results, "sequence", "wall", LIBRARY, LIMIT), 1.1, "at most"),
        ("many at a time: commands a second, of one after another", throughput(results), 3.0, "at least"),
        (f"{count} connections: CPU of plain C's", ratio(results, "connections", "cpu", LIBRARY, LIMIT), 1.1, "at most"),
        (f"{count} connections: CPU of asyncssh's", ratio(results, "connections", "cpu", LIBRARY, "asyncssh"), 0.15, "at most"),
        (f"{count} connections: CPU of processes of ssh",
         ratio(results, "connections", "cpu", LIBRARY, "ssh, a process each"), 0.03, "at most"),
        ("idle connection: KiB", figure(results, "idle", LIBRARY, "perConnectionKiB"), 100, "at most"),
        ("idle connection: KiB of its own", figure(results, "idle", LIBRARY, "ownPerConnectionKiB"), 100, "at most"),
    ]
    return [row for row in rows if row[1] is not None]


def figure(results, scenario, name, key):
    return results.get(scenario, {}).get(name, {}).get(key)


def throughput(results):
    """How many times more commands per second run concurrently than one after another."""
    one, many = figure(results, "sequence", LIBRARY, "wall"), figure(results, "parallel", LIBRARY, "wall")
    return one / many if one and many else None


def is_met(measured, limit, sense):
    return measured <= limit if sense == "at most" else measured >= limit
