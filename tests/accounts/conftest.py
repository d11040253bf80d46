"""Store uploads in a temporary folder, and emails as the site does."""

import pytest


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = str(tmp_path / "media")
    return tmp_path / "media"


@pytest.fixture(autouse=True)
def letters(settings):
    """Store emails; Django's test runner would keep them in memory."""
    settings.EMAIL_BACKEND = "accounts.mail.backend.LetterBackend"
