"""What the engine reads of a variant: the fields of ``policy.h`` as frozen records.

Points are inside points, more is better. Card sets are Python integers (second copies 64
bits up), sequences are tuples of exactly the length in use.
"""

from dataclasses import dataclass, replace

KIND_TRICK, KIND_LAYOUT = 0, 1
SLOT_TRICKS, SLOT_CARDS, SLOT_TRICK_AT, SLOT_PLACE, SLOT_SHOT = 0, 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class ContractNumbers:
    """``contract_t`` of ``policy.h``, and the names of its slots."""

    id: int
    kind: int
    tone: int
    n_slots: int
    slot_names: tuple[str, ...]
    """What each item is called in tables."""
    slot_kind: tuple[int, ...]
    slot_points: tuple[int, ...]
    slot_cards: tuple[int, ...]
    slot_tricks: tuple[int, ...]
    total: int
    params: int
    trump_mode: int = 0
    void_duty: int = 0
    lead_ban: int = 0
    forced: int = 0
    end_cards: int = 0
    face_up: int = 0
    beat_duty: int = 0
    ban_until: int = 0
    ban_broken_by: int = 0
    ban_trick: int = 0
    forced_when: int = 0
    forced_highest: int = 0
    first_lead: int = 0
    first_trick_ban: int = 0
    shoot_cards: int = 0
    shoot_taker: int = 0
    shoot_others: int = 0
    plain: int = 1
    """Whether the short trick loop knows all its rules."""
    trick_points: int = 0
    scoring_cards: int = 0
    scoring_tricks: int = 0
    n_card_slots: int = 0
    card_slots: tuple[int, ...] = ()
    may_pass: int = 0
    stall_forces: int = 0
    lose_turn: int = 0
    all_out: int = 0
    replay: int = 0
    replay_must: int = 0
    stall_freezes: int = 0
    passes: int = 0
    missing_stalls: int = 0
    copies: int = 0
    payout: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class VariantNumbers:
    """``variant_t`` of ``policy.h``, and the names of its contracts."""

    seats: int
    hand_size: int
    n_suits: int
    n_ranks: int
    deck: int
    suit: tuple[int, ...]
    n_contracts: int
    contract_names: tuple[str, ...]
    """By contract number."""
    contracts: tuple[ContractNumbers, ...]
    n_deals: int
    has_choice: int
    uses: tuple[int, ...]
    dealership: int
    dealer_offset: int
    leader_offset: int
    sequence: tuple[int, ...]
    objective: int
    has_doubling: int
    targets: tuple[int, int, int]
    declarer_redoubles: int
    duty: int
    copies: int = 1
    first_wins: int = 0
    leader_card: int = 0
    """The card whose holder leads, as a set of all its copies; 0: by offset."""
    uses_of_table: int = 0
    extra_contract: int = -1
    """Contract of the deals that play out a tie, -1 where ties are shared."""
    max_extra: int = 0
    extra_for_all: int = 0
    honour: int = 0
    """Whether a card that does not follow suit is a revoke, not a foul."""
    revoke_at_end: int = 0
    revoke_sign: int = 0
    revoke_keeps: int = 0
    revoke_replays: int = 0
    ban_as_revoke: int = 0
    redoubles: int = 1
    rounds: int = 1
    duty_penalty: int = 0
    duty_forced: int = 0
    undoubled_split: int = 0

    @property
    def max_deals(self) -> int:
        """Most deals that a game can have: with those that play out a tie, and as many
        played again as the schedule has where a revoke asks for that."""
        again = self.n_deals if self.honour and self.revoke_replays else 0
        return self.n_deals + again + (self.max_extra if self.extra_contract >= 0 else 0)


def without_points(numbers: VariantNumbers) -> VariantNumbers:
    """The rules without what anything is worth: all that decides which plays are possible."""
    bare = tuple(
        replace(
            one,
            slot_points=(),
            card_slots=(),
            payout=(),
            total=0,
            trick_points=0,
            shoot_taker=0,
            shoot_others=0,
        )
        for one in numbers.contracts
    )
    return replace(numbers, contracts=bare, duty_penalty=0)
