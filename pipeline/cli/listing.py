"""What a command does, in one line, read from its source without importing it."""

import ast
from importlib.util import find_spec
from pathlib import Path


def first_line(where: str) -> str:
    """First line of the docstring at ``module:name``.

    A name that is no function (a group of commands) has the module's. A module
    that is missing says so here, so that one broken package of somebody else's
    does not take ``barbu --help`` away; asking for its command shows the error.
    """
    module, _, name = where.partition(":")
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        return f"(module {module} is not installed)"
    tree = ast.parse(Path(spec.origin).read_bytes())
    documented: ast.Module | ast.FunctionDef = tree
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            documented = node
    return (ast.get_docstring(documented) or "").partition("\n")[0].rstrip(".")
