"""A fake of Facebook for tests that sign in through Facebook."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.accounts.social.fake_sites import FakeSite, site_with_keys


@contextmanager
def facebook_with_keys(settings: Any, monkeypatch: Any) -> Iterator[FakeSite]:
    """Run our site with Facebook's keys against the fake, and let our pages send forms to it."""
    with site_with_keys("facebook", settings, monkeypatch) as fake:
        policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
        form_action = [*policy["form-action"], fake.url]
        settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": {**policy, "form-action": form_action}}
        yield fake
