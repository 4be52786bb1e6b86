"""What a run's papers must say, since it follows from its config and how it was cut.

Manifest and receipts repeat it so that they can be read alone. A manifest that was
edited, or a receipt that was put into the wrong folder, contradicts it.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from engine_ext.rules.resolve import resolve
from engine_ext.seeds import run_key
from pipeline.config import EVENINGS, RunConfig, rules_hash
from pipeline.manifest import LineUps, Manifest, Receipt, Slots
from pipeline.plan import Bounds, Dropped, Plan, Shard, not_played
from pipeline.schema import SCHEMA_VERSION
from pipeline.seating import changes_company, tables
from pipeline.studies.designs import STUDIES

PACKAGE = "barbu-sim"
"""What a manifest's versions call this package."""
LATER = (
    "budget_ms",
    "worlds",
    "invasions",
    "heads",
    "field",
    "rotations",
    "claim",
    "stop",
    "dealt",
    "sample",
    "evenings",
)
"""Keys of a run file that came later."""


def run_id(config: RunConfig) -> str:
    """Short hash of what decides the numbers of a run."""
    # A key that came later and is not used changes no name of a run.
    later = {key for key in LATER if getattr(config, key) == RunConfig.model_fields[key].default}
    said = f"{SCHEMA_VERSION} {version(PACKAGE)} {config.model_dump_json(exclude=later)}"
    return sha256(said.encode()).hexdigest()[:16]


def derived(
    config: RunConfig,
    bounds: dict[str, Bounds],
    stopped: Mapping[str, int],
    dropped: Dropped,
) -> dict[str, Any]:
    """The fields of a manifest that follow from how the run is cut and where it stopped."""
    labels = [entrant.label for entrant in config.entrants]
    line_ups, slots = [], []
    for variant in config.variants:
        orders = tables(config, variant.rules.seats)
        listed = tuple(tuple(labels[i] for i in order) for order in orders)
        line_ups.append(LineUps(variant=variant.name, tables=listed))
        numbers = resolve(variant.rules)
        for name, contract in zip(numbers.contract_names, numbers.contracts, strict=True):
            slots.append(Slots(variant=variant.name, contract=name, slots=contract.slot_names))
    n_shards, n_games = counted(Plan(config, bounds, dropped), stopped)
    return {
        "run": run_id(config),
        "seats": max(variant.rules.seats for variant in config.variants),
        "run_key": run_key(config.seed),
        "line_ups": tuple(line_ups),
        "slots": tuple(slots),
        "shards": n_shards,
        "games": n_games,
    }


def counted(plan: Plan, stopped: Mapping[str, int]) -> tuple[int, int]:
    """Shards and games that count: of a variant that stopped, none beyond."""
    found = [lane.until(stopped.get(name, lane.blocks)) for name, lane in plan.lanes.items()]
    return sum(n for n, _ in found), sum(games for _, games in found)


def counted_shards(manifest: Manifest) -> Iterator[Shard]:
    """Those whose games count."""
    plan = Plan(manifest.config, manifest.bounds, manifest.dropped)
    for variant in plan.lanes:
        yield from plan.between(variant, 0, manifest.counted(variant))


def ended(manifest: Manifest, stopped: Mapping[str, int], dropped: Dropped) -> dict[str, Any]:
    """What changes in a manifest where a rule stops a variant, or drops tables."""
    made = derived(manifest.config, manifest.bounds, stopped, dropped)
    return {key: made[key] for key in ("shards", "games")} | {
        "stopped": dict(stopped),
        "dropped": {variant: dict(since) for variant, since in dropped.items()},
    }


def contradiction(manifest: Manifest) -> str | None:
    """The first thing in which a manifest contradicts itself, as ``key: what``."""
    if PACKAGE not in manifest.versions:
        return f"versions: {PACKAGE} is missing"
    names = [variant.name for variant in manifest.config.variants]
    if sorted(manifest.bounds) != sorted(names):
        return f"bounds: want those of {', '.join(names)}"
    if manifest.status == "complete" and manifest.digest is None:
        return "digest: missing, though the run is complete"
    if (manifest.status == "incomplete") != bool(manifest.set_aside):
        return f"set_aside: {len(manifest.set_aside)} shards, though the run is {manifest.status}"
    if manifest.versions[PACKAGE] != version(PACKAGE):
        return None  # another version may say some of it in other words
    hashes = {variant.name: rules_hash(variant.rules) for variant in manifest.config.variants}
    if manifest.rules_hashes not in ({}, hashes):
        return "rules_hashes: not those of the rules (was the file edited?)"
    wrong = _wrong_end(manifest)
    if wrong is not None:
        return wrong
    made = derived(manifest.config, manifest.bounds, manifest.stopped, manifest.dropped)
    for key, value in made.items():
        if getattr(manifest, key) != value:
            return f"{key}: does not follow from the config (was the file edited?)"
    return _wrong_sayings(manifest)


def _wrong_end(manifest: Manifest) -> str | None:
    """Why a run's rule cannot have ended it so, as ``key: what``."""
    config = manifest.config
    names = [variant.name for variant in config.variants]
    if config.design == EVENINGS:
        right = manifest.dropped == not_played(config) and not manifest.stopped
        return None if right else "dropped: not what the evenings have (was the file edited?)"
    for key, found in (("stopped", manifest.stopped), ("dropped", manifest.dropped)):
        unknown = sorted(set(found) - set(names))
        if unknown:
            return f"{key}: {unknown[0]} is no variant of the run"
        if found and config.stop is None:
            return f"{key}: the run has no stop rule"
    if config.stop is None:
        return None
    for variant, since in manifest.dropped.items():
        known = range(1, len(tables(config, config.variant(variant).seats)))
        if config.stop.rule != "race" or not set(since) <= set(known):
            return f"dropped: {variant}: not what a race may drop"
    at = {(f"stopped: {v}", blocks) for v, blocks in manifest.stopped.items()}
    for variant, since in manifest.dropped.items():
        at |= {(f"dropped: {variant}", blocks) for blocks in since.values()}
    for key, blocks in sorted(at):
        is_look = blocks % config.stop.look == 0 or blocks == config.blocks
        if not (0 < blocks <= config.blocks and is_look):
            return f"{key}: {blocks} (want a multiple of {config.stop.look}, where the rule looks)"
    for variant, bounds in manifest.bounds.items():
        if config.stop.look % bounds.blocks:
            return f"bounds: {variant}: {bounds.blocks} blocks do not divide {config.stop.look}"
    return None


def _wrong_sayings(manifest: Manifest) -> str | None:
    """Why verdicts and replays cannot be this run's, as ``key: what``."""
    names = {variant.name for variant in manifest.config.variants}
    labels = {entrant.label for entrant in manifest.config.entrants}
    for key, found in (("decided", manifest.decided), ("audited", manifest.audited)):
        said = [one.variant for one in found]
        if len(set(said)) < len(said) or not set(said) <= names:
            return f"{key}: want each of {', '.join(sorted(names))} once at most"
    for one in manifest.decided:
        if not {one.entrant, one.against or one.entrant} <= labels:
            return f"decided: {one.variant}: is about somebody who is no entrant"
        if one.blocks > manifest.counted(one.variant):
            return f"decided: {one.variant}: {one.blocks} blocks are more than count"
    for aside in manifest.set_aside:
        if aside.variant not in names:
            return f"set_aside: {aside.variant} is no variant of the run"
        if aside.first_block + aside.n_blocks > manifest.config.blocks:
            return f"set_aside: shard {aside.shard}: {aside.first_block} is no block of the run"
    for again in manifest.audited:
        if max(again.blocks, default=0) >= manifest.counted(again.variant):
            return f"audited: {again.variant}: a block that does not count"
    return None


def deals_of_games(manifest: Manifest) -> dict[str, tuple[int, int]]:
    """By variant, how many deals a game has at least and at most."""
    rules = {variant.name: resolve(variant.rules) for variant in manifest.config.variants}
    return {name: (one.n_deals, one.max_deals) for name, one in rules.items()}


def stray(
    receipt: Receipt, manifest: Manifest, planned: Plan, deals: Mapping[str, tuple[int, int]]
) -> str | None:
    """Why a receipt cannot be one of the run's, as ``key: what``; ``deals`` as from
    :func:`deals_of_games`."""
    if receipt.run != manifest.run:
        return f"run: belongs to run {receipt.run}, not {manifest.run}"
    shard = planned.shard(receipt.shard)
    if shard is None:
        return f"shard: there is no shard {receipt.shard} in this run"
    games = shard.n_blocks * shard.n_games
    due = {
        "variant": shard.variant,
        "first_block": shard.first_block,
        "n_blocks": shard.n_blocks,
        "first_game": shard.first_game,
        "n_games": shard.n_games,
        "games": games,
    }
    for key, value in due.items():
        if getattr(receipt, key) != value:
            return f"{key}: {getattr(receipt, key)}, the run's shard {shard.number} has {value}"
    always = always_there(manifest, shard.whole)
    evenings = manifest.config.design == EVENINGS
    if evenings and not receipt.deals:
        always -= {"deals"}
    lacking = sorted(always - set(receipt.files))
    if lacking:
        return f"files: {', '.join(lacking)} missing"
    if manifest.config.design in STUDIES:
        return None
    least, most = (games * each for each in deals[shard.variant])
    if evenings:  # of some games the totals alone are known
        least = 0
    if not least <= receipt.deals <= most:
        want = least if least == most else f"{least} to {most}"
        return f"deals: {receipt.deals}, the run's shard {shard.number} has {want}"
    return None


def always_there(manifest: Manifest, whole: bool) -> set[str]:
    """Tables of which every shard has a file, one of ``whole`` blocks or a part of one.

    A table without rows has no file, and only doubles may have none.
    """
    if manifest.config.design in STUDIES:
        return {"units", "trials"}
    config = manifest.config
    always = {"summary" if whole else "parts", *config.recorded} - {"doubles"}
    if not config.keeps_totals:
        # A block that is cut into parts is known by its totals: they are few for its work.
        always |= {"joint"} if whole else {"totals"}
        always |= {"company"} if whole and changes_company(config) else set()
    return always
