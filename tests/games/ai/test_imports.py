"""Processes of the site do not load numba (100 MB); only the server loads Twisted."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("modules", "unwanted"),
    [
        ("config.asgi, config.background.worker, config.urls", "numba"),
        ("config.background.worker, config.management.commands.worker, config.urls", "twisted"),
    ],
)
def test_site_processes_do_not_load_unwanted_modules(modules: str, unwanted: str) -> None:
    code = (
        f"import django, sys; django.setup(); import {modules}; print({unwanted!r} in sys.modules)"
    )
    names = {
        "SECRET_KEY": "only-for-checks",
        "DEMO": "1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **names},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"
