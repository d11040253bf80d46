"""Static files under hashed names, compressed; our scripts and styles bundled and minified."""

import json
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Any, TypeGuard

from django.conf import settings
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, staticfiles_storage
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config import style_bundles
from config.script_bundles import FOLDER, SHARED, Scripts

# Django's switch `support_js_module_import_aggregation` rewrites the scripts of all packages and
# fails on some, so its pattern is applied here to static/js only. The pattern's name is private; a
# test in tests/config fails if it changes.
_, MODULE_IMPORTS = ManifestStaticFilesStorage._js_module_import_aggregation_patterns  # type: ignore[attr-defined]
# The scripts of templates; tests/config/test_script_bundles.py compares this list with them.
ENTRIES = tuple(
    f"{FOLDER}{name}.js"
    for name in (
        "dice/draw-button", "lessons/exercise", "messages/draft", "messages/enter",
        "messages/seen", "notices/offer", "profile/main", "profile/try-out",
        "review/main", "shop/fitting", "shop/window", "signin/resend-countdown",
        "signin/show-password", "signin/telegram-answer",
        "site/every-page", "site/member", "site/offline", "site/preset-name",
        "site/quick-values", "site/rules-diagram", "site/search-clock", "site/share",
        "site/waiting-room", "table/main", "tournaments/tv",
    )
)  # fmt: skip
# The file that lists for each entry the files that it imports.
NEEDED = f"{SHARED}needed.json"
# Media types for the minifier.
SCRIPT, STYLE = "application/javascript", "text/css"


class StaticStorage(CompressedManifestStaticFilesStorage):
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", MODULE_IMPORTS))

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        if not dry_run:
            self._bundle_scripts(paths)
            self._bundle_styles(paths)
        yield from super().post_process(paths, dry_run, **options)

    def needed_by(self, entry: str) -> Sequence[str]:
        """Return the files that an entry imports, for the page to load all at once."""
        return self._needed.get(entry, [])

    @cached_property
    def _needed(self) -> dict[str, list[str]]:
        with self.open(NEEDED) as file:
            found: dict[str, list[str]] = json.load(file)
        return found

    def _bundle_scripts(self, paths: dict[str, Any]) -> None:
        """Replace the modules among the collected files by their bundles."""
        names = [name for name in paths if name.startswith(FOLDER) and name.endswith(".js")]
        scripts = Scripts({name: _read(*paths.pop(name)) for name in names}, ENTRIES)
        for name, text in scripts.bundled().items():
            self._put(name, _minified(SCRIPT, text))
            paths[name] = (self, name)
        needed = {entry: scripts.needed_by(entry) for entry in scripts.entries}
        self._put(NEEDED, json.dumps(needed))

    def _bundle_styles(self, paths: dict[str, Any]) -> None:
        """Minify our styles, and add the sets that pages load together."""
        names = [name for name in paths if name.startswith(style_bundles.FOLDER)]
        texts = {name: _read(*paths[name]) for name in names}
        for bundle in style_bundles.BUNDLES:
            whole = "\n".join(texts[name] for name in style_bundles.parts(bundle))
            texts[style_bundles.joined(bundle)] = whole
        for name, text in texts.items():
            self._put(name, _minified(STYLE, text))
            paths[name] = (self, name)

    def _put(self, name: str, text: str) -> None:
        self.delete(name)
        self._save(name, ContentFile(text.encode()))


def needed_by(entry: str) -> Sequence[str]:
    """Return the files that a script imports: bundles, or modules if no files are collected."""
    if _is_collected(staticfiles_storage):
        return staticfiles_storage.needed_by(entry)
    return modules().modules_of(entry)


def styles_of(bundle: str) -> Sequence[str]:
    """Return the files of a set of styles: a single one if the files are collected."""
    if _is_collected(staticfiles_storage):
        return [style_bundles.joined(bundle)]
    return style_bundles.parts(bundle)


def _is_collected(storage: Storage) -> TypeGuard[StaticStorage]:
    return isinstance(storage, StaticStorage) and not settings.DEBUG


@cache
def modules() -> Scripts:
    """Return the scripts as they are written, not bundled."""
    folder = settings.BASE_DIR / "static"
    files = sorted((folder / FOLDER).rglob("*.js"))
    texts = {file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in files}
    return Scripts(texts, ENTRIES)


def _minified(media_type: str, text: str) -> str:
    """Return the text minified, or unchanged if the minifier does not exist for this system."""
    try:
        import minify
    except ImportError:  # macOS on Apple's processors: see requirements.txt
        return text
    return str(minify.string(media_type, text))


def _read(storage: Any, path: str) -> str:
    with storage.open(path) as file:
        return str(file.read().decode())
