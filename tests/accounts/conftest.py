"""Store uploads in a temporary folder; store emails in the database, as the site does."""

import pytest
from django.contrib.auth import hashers


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = str(tmp_path / "media")
    return tmp_path / "media"


@pytest.fixture(autouse=True)
def emails(settings):
    """Store emails; Django's test runner would keep them in memory."""
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"


@pytest.fixture
def hashed(monkeypatch):
    """Return a list that gets one entry for each password hashed during the test."""
    hashes = []
    encode = hashers.MD5PasswordHasher.encode
    monkeypatch.setattr(
        hashers.MD5PasswordHasher,
        "encode",
        # `append` returns None, so the result is the hash.
        lambda self, *args, **more: hashes.append(1) or encode(self, *args, **more),
    )
    return hashes
