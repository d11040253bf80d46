"""Static files under hashed names, with the imports between our modules rewritten."""

import re

import pytest
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.management import call_command

from config.storage import ENTRIES, StaticStorage

RELATIVE = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.{1,2}/[^"']+)["']""")


def test_private_pattern_of_django_is_unchanged():
    glob, patterns = ManifestStaticFilesStorage._js_module_import_aggregation_patterns
    assert glob == "*.js"
    found = re.search(patterns[0][0], 'import { a } from "./b.js";')
    assert found
    assert found["url"] == "./b.js"


@pytest.fixture
def collected(tmp_path, settings):
    """Return a folder with all static files of the site, collected as `run.py` does it."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "config.storage.StaticStorage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    return settings.STATIC_ROOT


@pytest.mark.slow
def test_scripts_import_each_other_by_hashed_names(collected):
    storage = StaticStorage(location=collected)
    names = {*ENTRIES, *(name for entry in ENTRIES for name in storage.needed_by(entry))}
    assert len(names) > len(ENTRIES)
    for name in names:
        file = collected / storage.stored_name(name)
        relative = RELATIVE.findall(file.read_text())
        plain = [target for target in relative if not re.search(r"\.[0-9a-f]{12}\.js$", target)]
        assert not plain, f"{name} imports {plain} without a hash: see config/storage.py"
        assert all((file.parent / target).is_file() for target in relative)
