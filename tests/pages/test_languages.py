"""No page and no email shows a text in a language that is not its own."""

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from allauth.core import context
from django.conf import settings as site_settings
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.utils import timezone, translation

from accounts.models import OutgoingEmail, Preferences, User
from shop.models import Payment
from tests.accounts.factories import member
from tests.accounts.social.fake_facebook import facebook_with_keys
from tests.accounts.social.fake_sites import KEYS, settings_with
from tests.pages.foreign_words import foreign, texts_of
from tests.pages.gallery import (
    NOT_PAGES,
    PAGES,
    make_gallery,
    names_of_site,
)

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
LANGUAGES = ["ru", "en", "tr"]
EMAILS = sorted(
    str(path.relative_to(site_settings.BASE_DIR / "templates")).removesuffix("_message.txt")
    for folder in ("email", "notices")
    for path in (site_settings.BASE_DIR / "templates").glob(f"*/{folder}/*_message.txt")
    if path.name != "base_message.txt"
)


def test_every_url_is_a_page_of_the_gallery_or_has_a_reason_why_not() -> None:
    assert names_of_site() - set(PAGES) - set(NOT_PAGES) == set(), "add it to the gallery"
    assert (set(PAGES) | set(NOT_PAGES)) - names_of_site() == set(), "no such address"
    assert set(PAGES) & set(NOT_PAGES) == set()


@pytest.fixture
def _facebook(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with facebook_with_keys(settings, monkeypatch):
        settings.SOCIALACCOUNT_PROVIDERS |= settings_with(*set(KEYS) - {"facebook"})
        yield


@pytest.mark.usefixtures("_facebook")
def test_every_page_is_in_its_language() -> None:
    gallery = make_gallery()
    browsers = gallery.browsers()
    wrong = {}
    for language in LANGUAGES:
        Preferences.objects.update(language=language)
        for who, browser in browsers.items():
            browser.cookies[site_settings.LANGUAGE_COOKIE_NAME] = language
            with translation.override(language):
                addresses = gallery.addresses(who)
            for address, status in addresses:
                cache.clear()
                answer = browser.get(address, follow=True)
                texts = texts_of(answer.content.decode())
                seen = (answer.status_code, texts.language, foreign(texts.found, language))
                if seen != (status, language, []):
                    wrong[f"{language} {who} {address}"] = seen
    assert not wrong, "\n".join(f"{k}: {v}" for k, v in wrong.items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_email_is_in_the_language_of_its_receiver(
    language: str, rf: RequestFactory, settings: Any
) -> None:
    """Send each email from a page in another language."""
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"
    user = member("anna12345")
    Preferences.objects.filter(user=user).update(language=language)
    request = rf.get("/")
    request.user, request.session = user, Client().session  # type: ignore[assignment]
    assert len(EMAILS) >= 9
    other = "tr" if language == "en" else "en"
    with translation.override(other), context.request_context(request):
        for prefix in EMAILS:
            OutgoingEmail.objects.all().delete()
            get_adapter(request).send_mail(prefix, user.email, context_of(user))
            email = OutgoingEmail.objects.get()
            lines = [email.subject, *email.text.splitlines()]
            assert len(email.text) > 100, prefix
            assert (prefix, foreign(lines, language)) == (prefix, [])
            assert email.language == language


def context_of(user: User) -> dict[str, Any]:
    link = "https://example.org/x/"
    names = ("activate_url", "password_reset_url", "add_email_url", "signup_url")
    return {
        "user": user,
        "email": user.email,
        "provider": "Facebook",
        "until": timezone.now(),
        "timestamp": timezone.now(),
        "reason": "xyzzy",
        "answer": "xyzzy",
        "path": "/x/",
        "number": 2,
        "report": "xyzzy",
        "account": {"provider": "facebook"},
        "payment": Payment(credits=2, paid_at=timezone.now(), refund_reason="xyzzy"),
        "paid": "₽499",
        "refunded": "₽99",
        "debt": 2,
        **dict.fromkeys(names, link),
    }


def test_check_finds_other_languages() -> None:
    """Check the check: it finds texts of a catalog, Cyrillic letters and other English sentences.

    "2 points" is a text of the catalog with a number; no catalog has "Nothing here for you".
    """
    page = '<html lang="tr"><p>Play again</p><p lang="en">Play again</p><img alt="Привет мир">'
    assert foreign(texts_of(page).found, "tr") == ["Play again", "Привет мир"]
    assert foreign(["Nothing here for you", "2 points"], "ru") == [
        "2 points",
        "Nothing here for you",
    ]
    assert foreign(["Tekrar oyna", "5Stars Gammon"], "tr") == []
