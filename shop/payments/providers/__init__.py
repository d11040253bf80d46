"""The payment providers that the site's keys switch on; a library is loaded at its first use."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from django.conf import settings

from shop.payments.providers.port import Provider

Make = Callable[[Mapping[str, Any]], Provider]
# Each module has a class `Gateway`, made from its keys (config/payment_providers.py).
_MODULES = {code: f"shop.payments.providers.{code}" for code in ("stripe", "yookassa", "sandbox")}


def find(code: str) -> Provider | None:
    """Return the provider; None if the site has no keys for it."""
    keys = settings.PAYMENT_PROVIDERS.get(code)
    if keys is None:
        return None
    make: Make = import_module(_MODULES[code]).Gateway
    return make(keys)


def currencies() -> dict[str, str]:
    """Return, for each currency, the code of the first provider that takes it."""
    found: dict[str, str] = {}
    for code, keys in settings.PAYMENT_PROVIDERS.items():
        for currency in keys["currencies"]:
            found.setdefault(currency, code)
    return found


def is_on() -> bool:
    return bool(settings.PAYMENT_PROVIDERS)
