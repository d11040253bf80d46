"""Warnings of `manage.py check --deploy` about settings that a public site should have."""

from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

HINT = "See .env.example."


@register(Tags.security, deploy=True)
def check_public_settings(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if not settings.HAS_EMAIL_URL:
        text = "EMAIL_URL is not set: emails go to a mail server on this machine, at port 25."
        found.append(Warning(text, hint=HINT, id="config.W001"))
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    if sender.endswith("@localhost"):
        text = f"FROM_EMAIL is not set: emails come from {sender}, and most servers refuse them."
        found.append(Warning(text, hint=HINT, id="config.W002"))
    if settings.SECURE_SSL_REDIRECT and not settings.PROXY_COUNT:
        text = "PROXY_COUNT is not set: behind a proxy, every page is redirected to itself."
        found.append(Warning(text, hint=HINT, id="config.W004"))
    if settings.SANDBOX_PAYMENTS and not settings.PLAIN_HTTP:
        text = "SANDBOX_PAYMENTS is on: the pretend bank gives members credits for nothing."
        found.append(Warning(text, hint=HINT, id="config.W005"))
    if not settings.STAFF_SECOND_FACTOR and not settings.PLAIN_HTTP:
        text = "STAFF_SECOND_FACTOR is off: a password alone leads staff to the administration."
        found.append(Warning(text, hint=HINT, id="config.W006"))
    is_postgresql = settings.DATABASES["default"]["ENGINE"].endswith(".postgresql")
    if is_postgresql and not settings.REDIS_URL and not settings.PLAIN_HTTP:
        text = "REDIS_URL is not set: several processes would not hear of each other's changes."
        found.append(Warning(text, hint=HINT, id="config.W007"))
    if not settings.OPERATOR:
        text = "OPERATOR is not set: the terms and the page about data name nobody."
        found.append(Warning(text, hint=HINT, id="config.W003"))
    return found
