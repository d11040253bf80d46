"""Settings of payment providers: each is on if its keys are set, the sandbox by a setting."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.environment import Env

# Hosts of the payment pages, which browsers check (`form-action`).
HOSTS = {
    "stripe": ["https://checkout.stripe.com"],
    "yookassa": ["https://yoomoney.ru", "https://*.yookassa.ru"],
    "sandbox": [],
}
# Currencies of each provider. If several providers take a currency, the first one gets the payment.
CURRENCIES = {
    "yookassa": ("RUB",),
    "stripe": ("TRY", "EUR", "USD"),
    "sandbox": ("RUB", "TRY", "EUR", "USD"),
}
# Codes of the Russian value added tax in receipts (54-FZ).
VAT_CODES = range(1, 13)


def providers(env: Env) -> dict[str, dict[str, Any]]:
    """Return the settings of each provider with keys; raise ImproperlyConfigured for faults."""
    found: dict[str, dict[str, Any]] = {}
    if keys := env.together("YOOKASSA_SHOP_ID", "YOOKASSA_SECRET_KEY"):
        found["yookassa"] = {"shop_id": keys[0], "secret": keys[1], "vat_code": _vat_code(env)}
    if keys := env.together("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"):
        found["stripe"] = {"secret": keys[0], "webhook_secret": keys[1]}
    return {code: {**keys, "currencies": CURRENCIES[code]} for code, keys in found.items()}


def sandbox(secret: str) -> dict[str, dict[str, Any]]:
    """Return the settings of the sandbox, which signs its messages with the secret."""
    return {"sandbox": {"secret": secret, "currencies": CURRENCIES["sandbox"]}}


def refuse_sandbox_beside(found: dict[str, dict[str, Any]]) -> None:
    """Raise ImproperlyConfigured if a provider that takes money is on."""
    if found:
        raise ImproperlyConfigured(
            f"SANDBOX_PAYMENTS is on beside the keys of {', '.join(found)}: the pretend bank would"
            " give credits for nothing in each currency that they do not take. Turn it off, or"
            " remove the keys. See .env.example."
        )


def form_hosts(found: dict[str, dict[str, Any]]) -> list[str]:
    return [host for code in found for host in HOSTS[code]]


def _vat_code(env: Env) -> int | None:
    code: int | None = env.int("YOOKASSA_VAT_CODE", default=0) or None
    if code is not None and code not in VAT_CODES:
        raise ImproperlyConfigured(f"YOOKASSA_VAT_CODE is {code}: it must be 1 to 12.")
    return code
