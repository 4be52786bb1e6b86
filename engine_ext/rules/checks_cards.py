"""What the pack of a variant must fulfil, and every set of cards that its rules name."""

from collections.abc import Iterator

from engine_ext.cards import Pack
from engine_ext.rules.spec import Selector, Variant


def deck_problems(variant: Variant) -> Iterator[str]:
    """Yield what is wrong with the pack, or with dealing it out to the seats."""
    deck = variant.deck
    for key, letters in (("suits", deck.suits), ("ranks", deck.ranks)):
        for letter in letters:
            if len(letter) != 1 or letter.isspace():
                hint = " (write T for the ten)" if letter == "10" else ""
                yield f'deck.{key}: "{letter}" is not one letter{hint}'
        yield from twice(f"deck.{key}", letters)
    if deck.copies == 1:
        yield from twice("deck.remove", deck.remove)
    elif over_two := sorted({name for name in deck.remove if deck.remove.count(name) > 2}):
        yield f'deck.remove: "{over_two[0]}" is listed three times, there are two of it'
    if deck.copies == 1 and deck.identical == "first_wins":
        yield "deck.identical: one pack has no cards alike (want deck.copies = 2, or leave it out)"
    cards = {rank + suit for rank in deck.ranks for suit in deck.suits}
    for name in deck.remove:
        if name not in cards:
            yield f'deck.remove: "{name}" is no card of this pack ({_pack_text(variant)})'
    left = [name for name in cards for _ in range(deck.copies - deck.remove.count(name))]
    for key, letters, at in (("ranks", deck.ranks, 0), ("suits", deck.suits, 1)):
        for letter in letters:
            if not any(name[at : at + 1] == letter for name in left):
                yield f'deck.remove: takes out every "{letter}"; leave it out of deck.{key}'
    over = len(left) % variant.seats
    if over:
        yield (
            f"deck: {len(left)} cards do not divide by {variant.seats} seats "
            f"({over} left over; take them out with deck.remove)"
        )
    if len(left) < variant.seats:
        yield f"deck: {len(left)} cards for {variant.seats} seats; each needs at least one"


def _pack_text(variant: Variant) -> str:
    return f"ranks {' '.join(variant.deck.ranks)}; suits {' '.join(variant.deck.suits)}"


def twice(key: str, names: tuple[str, ...]) -> Iterator[str]:
    """Yield every name that a list has more than once."""
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f'{key}: "{name}" is listed twice'


def selector_problems(pack: Pack, key: str, selector: Selector | None) -> Iterator[str]:
    """Check that every suit, rank and card named is in the pack, and that some card is meant."""
    if selector is None:
        return
    found: list[str] = []
    for part, letters, known in (
        ("suits", selector.suits, pack.suits),
        ("ranks", selector.ranks, pack.ranks),
    ):
        found += twice(f"{key}.{part}", letters)
        for letter in letters:
            if letter not in known:
                thing = part.removesuffix("s")
                found.append(
                    f'{key}.{part}: "{letter}" is not a {thing} of this pack ({" ".join(known)})'
                )
    for part, names in (("cards", selector.cards), ("but", selector.but)):
        found += twice(f"{key}.{part}", names)
        for name in names:
            try:
                pack.number(name)
            except ValueError as error:
                found.append(f"{key}.{part}: {error}")
    if not found:
        whole = pack.select(selector.model_copy(update={"but": ()}))
        for name in selector.but:
            if not whole >> pack.number(name) & 1:
                found.append(f"{key}.but: {name} is not among the cards it is left out of")
        if not pack.select(selector):
            found.append(f"{key}: no card of this pack is meant")
    yield from found
