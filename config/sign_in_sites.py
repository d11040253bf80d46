"""Settings of sign-in through other sites: each is on if its keys are set."""

from django.core.exceptions import ImproperlyConfigured

from config.environment import Env

# Hosts to which a site's button leads, also by redirects; browsers check them (`form-action`).
HOSTS = {
    "facebook": ["https://*.facebook.com"],
    "google": ["https://accounts.google.com"],
    "apple": ["https://appleid.apple.com"],
    "vk": ["https://*.vk.ru", "https://*.vk.com"],
    "yandex": ["https://*.yandex.ru", "https://*.yandex.com", "https://*.yandex.com.tr"],
    "telegram": ["https://oauth.telegram.org"],
}
# Seconds for which an answer of Telegram is accepted; Telegram signs the time of the answer. This
# limit does not keep an answer from being used twice: the session's state does.
TELEGRAM_ANSWER_LIVES_S = 300


def providers(env: Env) -> dict[str, dict[str, object]]:
    """Return SOCIALACCOUNT_PROVIDERS; raise ImproperlyConfigured for incomplete or wrong keys.

    We ask each site only for the person's id and email.
    """
    found: dict[str, dict[str, object]] = {}
    if keys := env.together("FACEBOOK_APP_ID", "FACEBOOK_APP_SECRET"):
        found["facebook"] = {
            "APPS": [_app(*keys)],
            "METHOD": "oauth2",
            "SCOPE": ["email", "public_profile"],
            "FIELDS": ["id", "email"],
            "VERSION": "v19.0",
        }
    if keys := env.together("GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"):
        found["google"] = {
            "APPS": [_app(*keys)],
            "SCOPE": ["openid", "email"],
            "OAUTH_PKCE_ENABLED": True,
        }
    if keys := env.together(
        "APPLE_CLIENT_ID", "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY"
    ):
        client_id, team_id, key_id, key = keys
        settings = {"certificate_key": _apple_key(key)}
        # For Apple, allauth expects the key's id as the secret and the team's id as the key.
        found["apple"] = {
            "APPS": [_app(client_id, key_id, key=team_id) | {"settings": settings}],
            "SCOPE": ["email"],
        }
    if keys := env.together("VK_CLIENT_ID", "VK_CLIENT_SECRET"):
        found["vk"] = {"APPS": [_app(*keys)], "SCOPE": ["email"]}
    if keys := env.together("YANDEX_CLIENT_ID", "YANDEX_CLIENT_SECRET"):
        found["yandex"] = {"APPS": [_app(*keys)], "SCOPE": ["login:email"]}
    if keys := env.together("TELEGRAM_BOT_TOKEN"):
        bot_id, colon, secret = keys[0].partition(":")
        if not (bot_id.isdecimal() and colon and secret):
            raise ImproperlyConfigured(
                "TELEGRAM_BOT_TOKEN is not a bot's token (123456:ABC-DEF). See .env.example."
            )
        found["telegram"] = {
            "APPS": [_app(bot_id, keys[0])],
            "AUTH_PARAMS": {"auth_date_validity": TELEGRAM_ANSWER_LIVES_S},
        }
    return found


def form_hosts(sites: dict[str, dict[str, object]]) -> list[str]:
    return [host for site in sites for host in HOSTS[site]]


def _app(client_id: str, secret: str, key: str = "") -> dict[str, object]:
    return {"client_id": client_id, "secret": secret, "key": key}


def _apple_key(text: str) -> str:
    r"""Return the PEM of an ES256 key; a line break may be written as \n."""
    # Imported here, so that the site does not load the library at every start.
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    pem = text.replace("\\n", "\n")
    try:
        key = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    is_es256 = isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1)
    if not is_es256:
        raise ImproperlyConfigured(
            "APPLE_PRIVATE_KEY is not the text of a key file (.p8) of Apple. See .env.example."
        )
    return pem
