"""What a run says of itself: the manifest, and a receipt for each shard."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from engine_ext.rules.spec import Frozen
from pipeline.conduct import Conduct
from pipeline.config import RunConfig
from pipeline.plan import Bounds
from pipeline.stats.estimate import Kind
from pipeline.stats.prefix import Decision

Status = Literal["running", "complete", "incomplete", "interrupted", "failed"]
"""``incomplete``: it came to its end, but for shards that were set aside."""
Landed = Literal[
    "games",
    "deals",
    "doubles",
    "plays",
    "summary",
    "totals",
    "joint",
    "company",
    "parts",
    "units",
    "trials",
]
"""What a shard may bring: tables, and the sums of a part of a block."""
Count = Annotated[int, Field(ge=0)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class FileReceipt(Frozen):
    """A shard's rows of a table, and the file in which they stand as it was put in place."""

    rows: Count
    """Of the shard; of a file of sums (:mod:`pipeline.compaction`) the first shard has all."""
    bytes: Count
    """Of the file."""
    sha256: Sha256
    """Of its bytes, 64 hexadecimal digits."""
    first: Count | None = None
    """Where the rows of several shards stand in one file, the first of these; None: the file is
    this shard's alone."""
    last: Count | None = None
    """The last of them."""
    first_row: Count | None = None
    """Row of that file with which the shard's begin."""


class Receipt(Frozen):
    """What a shard brought."""

    run: str
    """The run it belongs to."""
    shard: Count
    variant: str
    first_block: Count
    n_blocks: Count
    first_game: Count
    n_games: Count
    """Games of each block."""
    games: Count
    deals: Count
    fouls: Count
    first_fouls: tuple[str, ...]
    """What the first fouls were."""
    conduct: tuple[Conduct, ...] = ()
    """Who fouled, printed, or drew from everybody's random numbers."""
    digest: Sha256
    """Sum of the hashes of its games, 64 hexadecimal digits."""
    files: dict[Landed, FileReceipt]
    """By table; a table without rows has no file."""
    build: str
    """Kernel and compiler that played it."""
    ms: Count
    """How long it took one worker."""


class Slots(Frozen):
    """What a contract's items are called."""

    variant: str
    contract: str
    slots: tuple[str, ...]
    """By number: slot k stands in bits 8k..8k+7 of ``items``."""


class LineUps(Frozen):
    """The tables of a variant's blocks."""

    variant: str
    tables: tuple[tuple[str, ...], ...]
    """Entrants in playing order, by table. Where the order or the company changes from block to
    block (docs/seeds.md) it is that of the plan, not of block 0."""


class Decided(Frozen):
    """The verdict on the claim in one variant."""

    variant: str
    entrant: str
    against: str | None
    """None: the mean of the entrant's tables; in ``candidates`` the field on the same cards."""
    rule: Literal["fixed", "sprt", "width", "decided", "race"]
    """How the run stopped; ``fixed``: after the blocks that were planned."""
    alpha: float
    """How often the verdict may be wrong: the run's alpha, shared equally by its variants, each
    of which has a verdict of its own. The interval holds with probability 1 - alpha."""
    blocks: Count
    """Blocks 0..blocks-1 that it rests on."""
    decision: Decision
    """What came out for the entrant. ``not better``: the test accepted ``delta0``; ``equal``:
    inside plus and minus ``claim.equal``; ``best``: he won the race; ``open``: the blocks were
    spent before anything was sure (of a race: he leads those who are left)."""
    statistic: float | None
    """What the rule looks at: the log likelihood ratio of ``sprt``, the half-width of ``width``;
    None where the rule has none."""
    value: float
    """Points a game in the entrant's favour, inside points."""
    low: float | None
    high: float | None
    kind: Kind
    """Of the interval."""
    attempt: int = Field(ge=1)
    """The how manieth run at this question, by the ledger beside the run."""
    gap: bool = False
    """Whether the next block is one that was set aside. The verdict is then that of the rule's
    last look, or without a rule of an interval that holds at every moment: where the gap lies
    may hang together with what was played."""


class SetAside(Frozen):
    """A shard of which every try came to nothing."""

    variant: str
    shard: Count
    first_block: Count
    n_blocks: Count
    tries: Count
    causes: tuple[str, ...]
    """Why each came to nothing, in order, a line each."""

    def __str__(self) -> str:
        last = self.first_block + self.n_blocks - 1
        one = self.n_blocks == 1
        blocks = f"block {last}" if one else f"blocks {self.first_block} to {last}"
        causes = "; ".join(dict.fromkeys(self.causes))
        return (
            f"{self.variant}, {blocks} (shard {self.shard}): {self.tries} tries came to nothing: "
            f"{causes}"
        )


class Audited(Frozen):
    """What was played again to see whether it comes out the same."""

    variant: str
    blocks: tuple[int, ...]
    """In order; of their games those that can be replayed. Of ``shards`` the first of each."""
    games: Count
    """Of a study: units."""
    elsewhere: Count
    """Games of these that another worker played the second time."""
    by: Literal["games", "totals", "shards"] = "games"
    """What was compared: the digest of each game; where the run kept no rows of games, what each
    member of each table made in the block; where it kept no blocks either, the digests of whole
    shards."""
    differing: tuple[str, ...]
    """A line for each game (of ``totals`` each table of a block, of ``shards`` each shard) that
    came out otherwise; empty is good."""
    suspects: tuple[str, ...] = ()
    """Entrants who sat in all of these."""
    left_out: tuple[str, ...] = ()
    """Entrants whose games cannot be replayed, and why: a line each."""


class Manifest(Frozen):
    """A run in full, readable without ``configs/``."""

    schema_version: int
    run: str
    """Short hash of what decides the numbers; names the run."""
    status: Status
    config: RunConfig
    seats: int
    """Seats of the largest table: how wide the tables are."""
    run_key: tuple[int, int]
    """What the seed became."""
    versions: dict[str, str]
    """Of this package, Python and what writes the files."""
    build: str
    """Kernel and compiler of the driver."""
    strategies: dict[str, str]
    """By entrant, what its strategy calls itself."""
    strategy_files: dict[str, Sha256] = Field(default_factory=dict)
    """By path, the hash of each file that a strategy is loaded from (empty: of runs that older
    versions began nobody knows)."""
    rules_hashes: dict[str, Sha256] = Field(default_factory=dict)
    """By variant, the hash of its rules, which its files bear too (empty: of older versions)."""
    line_ups: tuple[LineUps, ...]
    slots: tuple[Slots, ...]
    bounds: dict[str, Bounds]
    """How each variant's blocks are cut into shards."""
    shards: int
    """How many hold them."""
    games: int
    """Games that count; all of them played where the run is complete. Until a rule stops it they
    are those of all blocks."""
    deals: int = 0
    """Deals played, once complete."""
    fouls: int = 0
    """Illegal or failed answers, once complete."""
    worker_seconds: float = Field(0.0, ge=0, allow_inf_nan=False)
    """Work of all workers together, once complete."""
    digest: Sha256 | None = None
    """Of the run, once complete."""
    stopped: dict[str, int] = Field(default_factory=dict)
    """Blocks that count, by variant, where a stop rule ended it; others count whole. What landed
    beyond is surplus: it is kept, and nothing is counted or decided from it."""
    dropped: dict[str, dict[int, int]] = Field(default_factory=dict)
    """Rule ``race``: by variant and table, from which block on it was no longer played; in
    ``evenings`` the same of games that shorter evenings do not have."""
    decided: tuple[Decided, ...] = ()
    """The verdicts, once complete; those of a run without ``stop`` are of its planned end."""
    audited: tuple[Audited, ...] = ()
    """Replays of a sample, once complete."""
    set_aside: tuple[SetAside, ...] = ()
    """Shards that count and could not be played, where the run is incomplete; ``barbu resume``
    tries them again."""
    driver: str = ""
    """Drawn by the process that plays the run, so that no two ever write the same manifest;
    empty once it has ended."""

    def counted(self, variant: str) -> int:
        """Blocks of a variant that count: all, unless its rule has stopped it."""
        return self.stopped.get(variant, self.config.blocks)
