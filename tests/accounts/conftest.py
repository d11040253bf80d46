"""Uploads of tests go where pytest cleans up; letters are written down, as on the site."""

import pytest


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = str(tmp_path / "media")
    return tmp_path / "media"


@pytest.fixture(autouse=True)
def letters(settings):
    """Django's tests would keep them in memory instead."""
    settings.EMAIL_BACKEND = "accounts.letter_backend.LetterBackend"
