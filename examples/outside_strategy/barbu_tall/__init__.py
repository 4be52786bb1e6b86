"""``tall.v1``: the highest card that does not take the trick, else the highest there is."""

from barbu_tall import _tall


class Tall:
    """Ducks as high as it can, and throws its highest card."""

    draws = False
    capsule = _tall.policy()  # one for all objects, since it keeps nothing

    def __repr__(self) -> str:
        return "tall.v1"
