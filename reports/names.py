"""Names of contracts in the reader's language, as card players say them.

The rules come out with other titles and nothing else, so that whoever writes of a contract
still asks :func:`reports.words.title` and knows of no language.
"""

import tomllib
from functools import cache
from importlib import resources
from typing import get_args

from engine_ext.rules.spec import Contract, Variant
from reports.forms import Language

LANGUAGES: tuple[Language, ...] = get_args(Language)


@cache
def names() -> dict[str, dict[str, str]]:
    """By the title of a contract: its name in each language."""
    return tomllib.loads((resources.files("configs") / "names.toml").read_text(encoding="utf-8"))


def in_language(rules: Variant, language: Language) -> Variant:
    """The same rules with contracts named in ``language``.

    A contract that nobody translated keeps its own title, or has its document's name if
    the document is written in that language.
    """
    contracts = {
        key: contract.model_copy(update={"title": _name(rules, contract, language)})
        for key, contract in rules.contracts.items()
    }
    return rules.model_copy(update={"contracts": contracts})


def _name(rules: Variant, contract: Contract, language: Language) -> str:
    known = names().get(contract.title, {}).get(language)
    if known is not None:
        return known
    return contract.local if contract.local and rules.language == language else contract.title
