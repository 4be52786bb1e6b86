"""What runs on a node of a Ray cluster, whatever is installed there.

It travels as code, not by name (``register_pickle_by_value``), and gets what it works on sealed:
so a node without this package, or with another release of it, can still say so.
"""

from typing import Any, TypeAlias

Refusal: TypeAlias = tuple[str, str, list[str]]
"""Node by id, its host's name, and what it has that the run was not begun with, a line each."""


def carry_out(terms: bytes, sealed: bytes | None) -> tuple[Refusal | None, Any]:
    """Unseal a piece and do what is to be done with it, on a node that may; else its refusal.

    ``terms``: pickled ``Asked`` and what the driver says of itself; None is ``sealed`` where the
    node is only asked. Everything is imported here, since here may be anywhere.
    """
    import pickle
    import platform
    from importlib.metadata import PackageNotFoundError, version

    import ray

    node: str = ray.get_runtime_context().get_node_id()
    try:
        from pipeline.executors import handshake

        lines = handshake.broken(terms, node)
    except (ImportError, AttributeError) as error:  # no package, or one of another release
        try:
            lines = [f"barbu-sim {version('barbu-sim')} there: {error}"]
        except PackageNotFoundError:
            lines = [f"barbu-sim is not installed there ({error})"]
    if lines:
        return (node, platform.node(), lines), None
    if sealed is None:
        return None, None
    work, task = pickle.loads(sealed)
    from engine_ext.batch import StopFlag

    done = work(task, StopFlag())
    assert done is not None, "nobody sets this flag"
    return None, done
