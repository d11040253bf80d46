"""Let WhiteNoise scan the static files once per process, instead of once per test client."""

from typing import Any

from whitenoise.base import WhiteNoise


def scan_static_files_once() -> None:
    """Cache the scan, which takes half a second for each test client."""
    scan = WhiteNoise.update_files_dictionary
    scanned: dict[tuple[str, str], Any] = {}

    def update_files_dictionary(self: Any, root: str, prefix: str) -> None:
        if (root, prefix) not in scanned:
            found_before, self.files = self.files, {}
            scan(self, root, prefix)
            scanned[root, prefix], self.files = self.files, found_before
        self.files.update(scanned[root, prefix])

    WhiteNoise.update_files_dictionary = update_files_dictionary
