"""``barbu status``: how a run stands while it is played, or as it was left."""

import time
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import Json, one_line, print_json, print_table
from pipeline.cli.run import Folder

if TYPE_CHECKING:
    from pipeline.config import RunConfig
    from pipeline.so_far import Standing
    from pipeline.stats.estimate import Estimate
    from pipeline.status import Status

WIDE = 80

Attempts = dict[str, int | None]


def status(
    folder: Folder,
    follow: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Look again that often until it has ended."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say how a run stands: what is there, what it says so far, how long it still takes.

    Look as often as you like, while another process plays or after it was cut off: estimates
    rest on blocks that are all there and hold at every moment.

    Example: barbu status runs/smoke --follow 10
    """
    from engine_ext.errors import UserError
    from pipeline.status import Watcher

    if follow is not None and not 0.1 <= follow <= 86_400:
        raise UserError(f"--follow: {follow:g} (want 0.1 to 86400 seconds)")
    watcher = Watcher(folder)
    while True:
        found = watcher.status()
        attempts = _attempts(found)  # before a line is printed: the ledger may be damaged
        if as_json:
            print_json(plain(found, attempts))
        else:
            _print(found, folder, attempts)
        if follow is None or found.run.manifest.status != "running":
            return
        time.sleep(follow)
        if not as_json:
            print()


def plain(found: "Status", attempts: Attempts) -> dict[str, object]:
    """The answer as data; inside points, more is better."""
    manifest = found.run.manifest
    labels = [entrant.label for entrant in manifest.config.entrants]
    left = found.seconds_left
    return {
        "run": found.run.where,
        "status": manifest.status,
        "games": found.games,
        "of": manifest.games,
        "games_per_s": found.games_per_s,
        "quiet_s": found.quiet_s,
        "seconds_left": None if left is None else list(left),
        "variants": [
            {
                "variant": one.variant,
                "blocks": one.blocks,
                "beyond": one.beyond,
                "cap": one.cap,
                "stopped": one.stopped,
                "ends_at": list(one.outlook),
                "claim": None if one.claim is None else one.claim._asdict(),
                "statistic": one.statistic,
                "attempt": attempts[one.variant],
                "entrants": [{"entrant": labels[i]} | e._asdict() for i, e in one.entrants],
                "pairs": [
                    {"ahead": labels[pair.ahead], "behind": labels[pair.behind]}
                    | pair.difference._asdict()
                    | {"sure": pair.sure}
                    for pair in one.pairs
                ],
            }
            for one in found.standings
        ],
        "decided": [one.model_dump() for one in manifest.decided],
        "set_aside": [one.model_dump() for one in manifest.set_aside],
    }


def _attempts(found: "Status") -> Attempts:
    """By variant the how manieth run at its question; None where the ledger does not know it."""
    from pipeline.ledger import number_of

    return {one.variant: number_of(found.run, one.variant) for one in found.standings}


def _print(found: "Status", folder: str, attempts: Attempts) -> None:
    from engine_ext.rules.resolve import resolve
    from pipeline.cli.aside import lines
    from pipeline.studies.designs import STUDIES

    manifest = found.run.manifest
    config = manifest.config
    pieces = "units" if config.design in STUDIES else "games"
    print(one_line(config.title))
    speed = ""
    if found.games_per_s is not None:
        each = " a worker" if manifest.status == "complete" else ""
        speed = f", {found.games_per_s:,.0f} {pieces}/s{each}"
    print(f"{manifest.status}: {found.games:,} of {manifest.games:,} {pieces}{speed}")
    for line in lines(manifest.set_aside):
        print(fill(line, WIDE, subsequent_indent="  "))
    _print_left(found, folder)
    for one in found.standings:
        print()
        sign = resolve(config.variant(one.variant)).objective
        _print_variant(found, one, sign, attempts[one.variant])
    if any(one.entrants for one in found.standings):
        from pipeline.claim import ALPHA
        from pipeline.verdict import figure_of

        alpha = ALPHA if config.stop is None else config.stop.alpha
        told = (
            f"{figure_of(config).capitalize()}. {100 * (1 - alpha):g} % confidence "
            "sequences: the entrants' intervals hold together, at every moment, and so do all "
            "that are told ahead; whenever one looks, and however often."
        )
        print("\n" + fill(told, WIDE))


def _print_left(found: "Status", folder: str) -> None:
    """How long it still takes, or how to go on."""
    manifest = found.run.manifest
    if manifest.status == "incomplete":
        print(f"barbu resume {folder} tries them again")
    if manifest.status in ("interrupted", "failed"):
        print(f"barbu resume {folder} goes on")
    if manifest.status != "running":
        return
    left = found.seconds_left
    if left is not None:
        low, high = map(_duration, left)
        print(f"about {low} left" if low == high else f"about {low} to {high} left")
    slowest = max(found.landed.frame["ms"], default=0) / 1000
    if found.quiet_s is not None and found.quiet_s > max(60.0, 5 * slowest):
        print(
            f"nothing has landed for {_duration(found.quiet_s)}: if nobody plays it, "
            f"barbu resume {folder} goes on"
        )


def _print_variant(found: "Status", one: "Standing", sign: int, attempt: int | None) -> None:
    config = found.run.manifest.config
    beyond = f", {one.beyond:,} beyond have landed" if one.beyond else ""
    how = "its rule stopped it at" if one.stopped else "of"
    head = f"{one.variant}: {one.blocks:,} blocks are whole, {how} {one.cap:,}{beyond}"
    print(fill(head, WIDE, subsequent_indent="  "))
    for line in _claim_lines(found, one, sign, attempt):
        print(fill(one_line(line), WIDE, initial_indent="  ", subsequent_indent="    "))
    if one.entrants:
        _print_entrants(config, one, sign)


def _claim_lines(found: "Status", one: "Standing", sign: int, attempt: int | None) -> list[str]:
    """What is claimed, what is known of it, and when it is decided."""
    from pipeline.ledger import in_words
    from pipeline.stats.estimate import times
    from pipeline.verdict import sentence

    config = found.run.manifest.config
    if one.claim is None:
        return []
    better = "lower is better" if sign < 0 else "higher is better"
    lines = [f"{in_words(config, one.variant)}: {_figure(times(one.claim, sign))}, {better}"]
    if attempt is not None and attempt > 1:
        lines.append(f"attempt {attempt} at this question")
    for decided in found.run.manifest.decided:
        if decided.variant == one.variant:
            said = sentence(config, decided).removeprefix(f"{one.variant}: ")
            return [f"decided: {said}", *lines[1:]]
    if config.stop is not None and not one.stopped:
        lines.append(_rule_line(config, one))
    return lines


def _rule_line(config: "RunConfig", one: "Standing") -> str:
    """How far the stop rule is."""
    from pipeline.stats.sequential import bounds
    from pipeline.stopping import share, test_of

    stop = config.stop
    assert stop is not None, "there is a rule"
    told = f"rule {stop.rule}"
    if one.statistic is not None and stop.rule == "sprt":
        low, high = bounds(test_of(stop, share(config)))
        told += f": LLR {one.statistic:+.2f}, decides at {low:.2f} or {high:.2f}"
    elif one.statistic is not None:
        told += f": {one.statistic:.2f} to either side, stops at {stop.width:g}"
    low_end, high_end = one.outlook
    blocks = f"{low_end:,}" if low_end == high_end else f"{low_end:,} to {high_end:,}"
    return f"{told}; ends at about {blocks} blocks"


def _print_entrants(config: "RunConfig", one: "Standing", sign: int) -> None:
    """Everybody, best first, and whom he is surely ahead of."""
    from pipeline.stats.estimate import times

    labels = [entrant.label for entrant in config.entrants]
    rows = []
    for i, figure in one.entrants:
        turned = times(figure, sign)
        behind = [labels[p.behind] for p in one.pairs if p.ahead == i and p.sure]
        name = one_line(labels[i])
        name = name if len(name) <= 24 else name[:23] + "\u2026"
        value, interval = f"{turned.value:+.2f}", _interval(turned)
        ahead = one_line(", ".join(behind))
        room = WIDE - 62
        if len(ahead) > room:
            ahead = f"{len(behind)} others"
        rows.append((f"  {name}", value, interval, ahead))
    print_table(("  entrant", "points", "interval", "surely ahead of"), rows)


def _figure(estimate: "Estimate") -> str:
    interval = _interval(estimate)
    return f"{estimate.value:+.2f}" + (f" ({interval})" if interval else "")


def _interval(estimate: "Estimate") -> str:
    if estimate.kind == "identical":
        return "exactly, in every block"
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{estimate.low:+.2f} to {estimate.high:+.2f}"


def _duration(seconds: float) -> str:
    """Roughly, for people who wait."""
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
