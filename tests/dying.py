"""A folder whose process is killed before a call that writes."""

from pipeline.stores.folder import Folder


class Killed(BaseException):
    """The process is no more."""


class Dying(Folder):
    """A folder whose process dies before its call number ``left``."""

    left = 0

    def put(self, name: str, whole: bytes) -> None:
        """Die, or write."""
        self._dies()
        super().put(name, whole)

    def remove(self, name: str) -> None:
        """Die, or remove."""
        self._dies()
        super().remove(name)

    def _dies(self) -> None:
        Dying.left -= 1
        if Dying.left < 0:
            raise Killed
