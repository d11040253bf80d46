"""Settings that are read from the environment, mostly those of production."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config import payment_providers
from config.environment import is_unreadable, sqlite_url
from config.sign_in_sites import form_hosts, providers
from shop.payments.webhooks import MAX_BODY
from tests.accounts.social.fake_sites import KEYS, env_with
from tests.support.patience import PATIENCE_S

PRODUCTION = {
    "SECRET_KEY": "a" * 25 + "b" * 20 + "0123456789-_xyz",
    "DICE_SEAL_KEY": "seal" * 12,
    "ALLOWED_HOSTS": "play.example.org",
    "SITE_URL": "https://play.example.org",
    "DATABASE_URL": "postgres://gammon:secret@localhost:5432/gammon",
    "REDIS_URL": "redis://localhost:6379/0",
    "DEMO": "0",
    "DEBUG": "0",
}


def python(*arguments, env):
    """Run Python as production does: without this machine's variables and test mode."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "SYSTEMROOT") if key in os.environ}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=settings.BASE_DIR,
        env={**kept, "DJANGO_SETTINGS_MODULE": "config.settings", **env},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def read_setting(names, env):
    code = (
        "import json; from django.conf import settings;"
        f"print(json.dumps([getattr(settings, name) for name in {names!r}], default=str))"
    )
    answer = python("-c", code, env=env)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


COUNTRIES = "COUNTRIES_WITHOUT_STAKES"
# The variables of production with all others that `check --deploy` asks for.
PUBLIC = {
    **PRODUCTION,
    "EMAIL_URL": "smtp+tls://user:password@mail.example.org:587",
    "FROM_EMAIL": "5Stars Gammon <no-reply@play.example.org>",
    "OPERATOR": "Example Games Ltd, 1 High Street, London",
    "PROXY_COUNT": "1",
}


def test_deployment_check_is_clean():
    answer = python("manage.py", "check", "--deploy", "--fail-level", "WARNING", env=PUBLIC)
    assert answer.returncode == 0, answer.stderr
    assert "no issues" in answer.stdout


def test_deployment_check_names_what_a_public_site_lacks():
    answer = python("manage.py", "check", "--deploy", env=PRODUCTION)
    for name in PUBLIC.keys() - PRODUCTION.keys():
        assert f"{name} is not set" in answer.stderr


@pytest.mark.parametrize(("is_demo", "warns"), [("0", True), ("1", False)])
def test_deployment_check_names_what_only_a_demonstration_may_have(is_demo, warns):
    risky = {"SANDBOX_PAYMENTS": "1", "STAFF_SECOND_FACTOR": "0"}
    env = {**PUBLIC, "DEMO": is_demo, "ALLOWED_HOSTS": "localhost", **risky}
    answer = python("manage.py", "check", "--deploy", env=env)
    for name in risky:
        assert (f"{name} is o" in answer.stderr) is warns


@pytest.mark.parametrize(
    ("more", "warns"),
    [
        ({}, True),
        ({"DATABASE_URL": "sqlite:///x.sqlite3"}, False),  # one process
        ({"DEMO": "1", "ALLOWED_HOSTS": "localhost"}, False),
    ],
)
def test_deployment_check_asks_for_redis_beside_postgresql(more, warns):
    answer = python("manage.py", "check", "--deploy", env={**PUBLIC, "REDIS_URL": "", **more})
    assert answer.returncode == 0, answer.stderr
    assert ("REDIS_URL is not set" in answer.stderr) is warns


@pytest.mark.parametrize("name", ["SECRET_KEY", "DICE_SEAL_KEY"])
def test_production_does_not_start_without_a_secret(name):
    # Empty, not absent: a developer's .env must not fill it in.
    env = {**PRODUCTION, name: ""}
    answer = python("manage.py", "check", env=env)
    assert answer.returncode != 0
    assert name in answer.stderr
    assert "Traceback" not in answer.stderr
    assert ".env.example" in answer.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [("DATABASE_URL", "secret@db"), ("DATABASE_URL", ""), ("WELCOME_CREDITS", "many")],
)
def test_unreadable_value_is_reported_by_its_variable(name, value):
    answer = python("-c", "import config.settings", env={**PRODUCTION, name: value})
    last = answer.stderr.strip().splitlines()[-1]
    assert (answer.returncode, name in last, "secret@db" in last) == (1, True, False), last


def test_settings_that_this_user_cannot_read_are_not_reported_as_missing():
    """django-environ takes such a file for a missing one, but `run.py` would not write another."""
    code = (
        "import os; os.path.lexists = lambda path: True; os.access = lambda *given: False;"
        "import config.settings"
    )
    answer = python("-c", code, env={**PRODUCTION, "SECRET_KEY": ""})
    last = answer.stderr.strip().splitlines()[-1]
    assert (answer.returncode, ".env cannot be read" in last) == (1, True), last


def test_a_link_to_no_file_is_unreadable(tmp_path):
    path = tmp_path / ".env"
    assert not is_unreadable(path)
    path.symlink_to(tmp_path / "missing")
    assert is_unreadable(path)
    (tmp_path / "missing").touch()
    assert not is_unreadable(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("EMAIL_URL", "smtp+tls://user:top/secret@mail.example.org:587"),
     ("EMAIL_URL", "mail.example.org"),
     ("DATABASE_URL", "postgres://gammon:top/secret@localhost:5432/gammon")],
)  # fmt: skip
def test_url_with_a_character_that_must_be_escaped_is_reported(name, value):
    answer = python("manage.py", "check", env={**PRODUCTION, name: value})
    assert answer.returncode == 1
    assert answer.stderr.startswith(f"{name} is not the URL of a ")
    assert "%2F" in answer.stderr
    assert "top" not in answer.stderr


def test_escaped_characters_of_urls_are_those_of_the_password():
    secret = "a%/?#b"
    escaped = "a%25%2F%3F%23b"
    env = env_with(
        {
            "DATABASE_URL": f"postgres://gammon:{escaped}@localhost:5432/gammon",
            "EMAIL_URL": f"smtp+tls://user:{escaped}@mail.example.org:587",
        }
    )
    assert env.database("DATABASE_URL", "")["PASSWORD"] == secret
    assert env.mail_server("EMAIL_URL", "")["EMAIL_HOST_PASSWORD"] == secret


@pytest.mark.parametrize("folder", ["c++", "issue #1", "50%", "what?", "a%20b"])
def test_database_stays_in_the_folder_of_the_site_whatever_its_name(folder):
    path = Path("/srv") / folder / "db.sqlite3"
    found = env_with().database("DATABASE_URL", sqlite_url(path))
    assert found["NAME"] == str(path)


@pytest.mark.parametrize(
    ("value", "is_on"), [("1", True), ("True", True), (" on ", True), ("0", False), ("No", False)]
)
def test_switch_is_read_however_it_is_typed(value, is_on):
    env = env_with({"STAFF_SECOND_FACTOR": value})
    assert env.switch("STAFF_SECOND_FACTOR", default=not is_on) is is_on


@pytest.mark.parametrize("keys", [{}, {"STAFF_SECOND_FACTOR": ""}])
def test_switch_without_a_value_is_as_if_it_were_not_set(keys):
    assert env_with(keys).switch("STAFF_SECOND_FACTOR", default=True) is True


@pytest.mark.parametrize("value", ["ture", "1 # asked by the auditor", "enabled"])
def test_switch_that_cannot_be_read_stops_the_start(value):
    """django-environ reads such a value as off, which would let staff in by a password alone."""
    answer = python("manage.py", "check", env={**PRODUCTION, "STAFF_SECOND_FACTOR": value})
    assert answer.returncode == 1
    assert answer.stderr.startswith("STAFF_SECOND_FACTOR must be 1 or 0, and is ")


def test_empty_value_is_as_if_it_were_not_set():
    """An operator who fills in .env.example may leave some of its lines empty."""
    names = ["MEDIA_ROOT", "LOCALE_DIR", "EMAIL_HOST", "DEFAULT_FROM_EMAIL"]
    empty = dict.fromkeys(["MEDIA_ROOT", "LOCALE_DIR", "EMAIL_URL", "FROM_EMAIL"], "")
    assert read_setting(names, {**PRODUCTION, **empty}) == [
        str(settings.BASE_DIR / "var" / "media"),
        str(settings.BASE_DIR / "locale"),
        "localhost",
        "5Stars Gammon <no-reply@localhost>",
    ]


def test_names_of_levels_and_formats_of_the_log_may_be_small():
    env = {**PRODUCTION, "LOG_LEVEL": "warning", "LOG_FORMAT": "TEXT"}
    (logs,) = read_setting(["LOGGING"], env)
    assert logs["root"]["level"] == "WARNING"
    assert logs["handlers"]["console"]["formatter"] == "text"


@pytest.mark.parametrize("name", ["LOG_LEVEL", "LOG_FORMAT"])
def test_unknown_level_or_format_of_the_log_is_reported_by_its_variable(name):
    answer = python("manage.py", "check", env={**PRODUCTION, name: "loud"})
    assert answer.returncode == 1
    assert answer.stderr.startswith(f"{name} is 'loud': it must be one of ")


@pytest.mark.parametrize("value", ["tr,AZ", " TR, az ", "TR,,AZ"])
def test_countries_without_stakes_are_read_however_they_are_typed(value):
    """A country that is not recognized would let its members stake."""
    env = env_with({COUNTRIES: value})
    assert env.countries(COUNTRIES) == ["TR", "AZ"]
    assert env_with().countries(COUNTRIES) == []


@pytest.mark.parametrize("value", ["UK", "TR;AZ", "Turkey"])
def test_unknown_country_without_stakes_stops_the_start(value):
    answer = python("-c", "import config.settings", env={**PRODUCTION, COUNTRIES: value})
    last = answer.stderr.strip().splitlines()[-1]
    assert (answer.returncode, f"{COUNTRIES} names {value.upper()}" in last) == (1, True), last


def test_spaces_in_lists_of_hosts_and_origins_are_ignored():
    env = {
        **PRODUCTION,
        "ALLOWED_HOSTS": "play.example.org, www.example.org",
        "CSRF_TRUSTED_ORIGINS": "https://a.example.org, https://b.example.org",
    }
    assert read_setting(["ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS"], env) == [
        ["play.example.org", "www.example.org"],
        ["https://a.example.org", "https://b.example.org"],
    ]


@pytest.mark.parametrize("value", ["", "http://play.example.org"])
def test_production_does_not_start_without_an_https_site_url(value):
    answer = python("manage.py", "check", env={**PRODUCTION, "SITE_URL": value})
    assert answer.returncode != 0
    assert "SITE_URL must be set" in answer.stderr


@pytest.mark.parametrize(
    "value",
    ["play.example.org", "https://play.example.org/site", "https://me@play.example.org",
     "https://", "ftp://play.example.org", "https://play.example.org:port", "https://[::1"],
)  # fmt: skip
def test_site_url_must_be_a_scheme_and_a_host(value):
    answer = python("-c", "import config.settings", env={**PRODUCTION, "SITE_URL": value})
    last = answer.stderr.strip().splitlines()[-1]
    assert (answer.returncode, "SITE_URL" in last) == (1, True), last


def test_slash_at_the_end_of_site_url_is_removed():
    env = {**PRODUCTION, "SITE_URL": "https://play.example.org/"}
    assert read_setting(["SITE_URL"], env) == ["https://play.example.org"]


def test_reviews_look_only_one_or_two_plies_ahead():
    answer = python("manage.py", "check", env={**PRODUCTION, "REVIEW_PLIES": "3"})
    assert answer.returncode != 0
    assert "REVIEW_PLIES is 3" in answer.stderr


def test_cookies_of_production_are_secure_and_bound_to_the_host():
    session, csrf, secure, http_only = read_setting(
        [
            "SESSION_COOKIE_NAME",
            "CSRF_COOKIE_NAME",
            "SESSION_COOKIE_SECURE",
            "SESSION_COOKIE_HTTPONLY",
        ],
        PRODUCTION,
    )
    assert session.startswith("__Host-")
    assert csrf.startswith("__Host-")
    assert secure
    assert http_only


def test_postgresql_gets_a_pool_and_time_limits():
    database = read_setting(["DATABASES"], PRODUCTION)[0]["default"]
    assert database["CONN_MAX_AGE"] == 0
    assert database["OPTIONS"]["pool"]["max_size"] >= 6
    assert "lock_timeout" in database["OPTIONS"]["options"]
    assert "statement_timeout" in database["OPTIONS"]["options"]


def test_query_of_the_database_url_is_kept_beside_our_own_options():
    """Without its `sslmode` the driver would accept a connection without encryption."""
    query = "sslmode=verify-full&target_session_attrs=read-write&options=-c%20search_path%3Dsite"
    env = {**PRODUCTION, "DATABASE_URL": f"{PRODUCTION['DATABASE_URL']}?{query}"}
    options = read_setting(["DATABASES"], env)[0]["default"]["OPTIONS"]
    assert (options["sslmode"], options["target_session_attrs"]) == ("verify-full", "read-write")
    assert options["pool"]["max_size"] >= 6
    assert options["options"].startswith("-c search_path=site -c lock_timeout")


@pytest.mark.parametrize("size", ["0", "1"])
def test_pool_of_fewer_connections_than_it_opens_at_first_stops_the_start(size):
    answer = python("manage.py", "check", env={**PRODUCTION, "DATABASE_POOL_SIZE": size})
    assert answer.returncode != 0
    assert f"DATABASE_POOL_SIZE is {size}" in answer.stderr


def test_sqlite_is_set_up_for_one_writer():
    env = {key: value for key, value in PRODUCTION.items() if key != "REDIS_URL"}
    database = read_setting(["DATABASES"], {**env, "DATABASE_URL": "sqlite:///x.sqlite3"})[0]
    options = database["default"]["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]
    assert options["timeout"] == 20


def test_redis_sets_channel_layer_and_cache():
    layers, caches = read_setting(["CHANNEL_LAYERS", "CACHES"], PRODUCTION)
    assert layers["default"]["BACKEND"] == "config.sockets.redis_layer.RedisLayer"
    assert caches["default"]["BACKEND"].endswith("FailoverCache")


def test_every_variable_is_explained():
    """.env.example names exactly the variables that the settings read."""
    import re

    files = ("settings", "sign_in_sites", "payment_providers")
    sources = [f"config/{name}.py" for name in files]
    source = "".join((settings.BASE_DIR / name).read_text() for name in sources)
    read = set(re.findall(r'(?:env\.\w+|_secret)\(\s*"([A-Z_]+)"', source))
    for names in re.findall(r"env\.together\(([^)]*)\)", source):
        read |= set(re.findall(r'"([A-Z_]+)"', names))
    example = (settings.BASE_DIR / ".env.example").read_text()
    explained = set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE))
    assert read == explained - {"POSTGRES_PASSWORD"}  # which compose.yaml reads


def test_without_keys_no_other_site_signs_anybody_in():
    found, policy = read_setting(["SOCIALACCOUNT_PROVIDERS", "CONTENT_SECURITY_POLICY"], PRODUCTION)
    assert found == {}
    assert policy["DIRECTIVES"]["form-action"] == ["'self'"]


def test_keys_of_a_site_enable_it_and_allow_forms_to_lead_there():
    names = ["SOCIALACCOUNT_PROVIDERS", "CONTENT_SECURITY_POLICY"]
    found, policy = read_setting(names, {**PRODUCTION, **KEYS["facebook"], **KEYS["telegram"]})
    assert set(found) == {"facebook", "telegram"}
    assert policy["DIRECTIVES"]["form-action"] == [
        "'self'",
        "https://*.facebook.com",
        "https://oauth.telegram.org",
    ]


@pytest.mark.parametrize("code", sorted(KEYS))
def test_site_needs_all_of_its_keys(code):
    found = providers(env_with(KEYS[code]))
    assert set(found) == {code}
    assert form_hosts(found)
    for name in KEYS[code]:
        rest = {each: value for each, value in KEYS[code].items() if each != name}
        if not rest:
            assert providers(env_with({name: ""})) == {}
            continue
        with pytest.raises(ImproperlyConfigured, match=rf"without {name}: set all of them"):
            providers(env_with(rest))


@pytest.mark.parametrize("token", ["AAbot-token", "424242:", ":AAbot", "bot:AAbot"])
def test_malformed_token_of_a_bot_is_refused(token):
    with pytest.raises(ImproperlyConfigured, match="TELEGRAM_BOT_TOKEN") as error:
        providers(env_with({"TELEGRAM_BOT_TOKEN": token}))
    assert token not in str(error.value)


@pytest.mark.parametrize(
    "key", ["secret", "-----BEGIN PRIVATE KEY-----\nAA\n-----END PRIVATE KEY-----"]
)
def test_apples_key_must_be_a_private_key(key):
    with pytest.raises(ImproperlyConfigured, match="APPLE_PRIVATE_KEY") as error:
        providers(env_with({**KEYS["apple"], "APPLE_PRIVATE_KEY": key}))
    assert key not in str(error.value)


def test_line_breaks_of_apples_key_may_be_escaped():
    key = KEYS["apple"]["APPLE_PRIVATE_KEY"]
    found = providers(env_with({**KEYS["apple"], "APPLE_PRIVATE_KEY": key.replace("\n", "\\n")}))
    assert found == providers(env_with(KEYS["apple"]))


def test_incomplete_keys_of_a_site_stop_the_start():
    answer = python("manage.py", "check", env={**PRODUCTION, "GOOGLE_CLIENT_ID": "1"})
    assert answer.returncode != 0
    assert "GOOGLE_CLIENT_ID is set without GOOGLE_CLIENT_SECRET" in answer.stderr


PAYMENT_KEYS = {
    "yookassa": {"YOOKASSA_SHOP_ID": "54401", "YOOKASSA_SECRET_KEY": "test_only"},
    "stripe": {"STRIPE_SECRET_KEY": "sk_test_only", "STRIPE_WEBHOOK_SECRET": "whsec_only"},
}


@pytest.mark.parametrize("code", sorted(PAYMENT_KEYS))
def test_payment_provider_needs_all_of_its_keys(code):
    assert payment_providers.providers(env_with()) == {}
    found = payment_providers.providers(env_with(PAYMENT_KEYS[code]))
    assert set(found) == {code}
    assert payment_providers.form_hosts(found)
    for name in PAYMENT_KEYS[code]:
        rest = {each: value for each, value in PAYMENT_KEYS[code].items() if each != name}
        with pytest.raises(ImproperlyConfigured, match=rf"without {name}: set all of them"):
            payment_providers.providers(env_with(rest))


def test_vat_code_must_be_one_of_those_of_receipts():
    keys = PAYMENT_KEYS["yookassa"]
    found = payment_providers.providers(env_with({**keys, "YOOKASSA_VAT_CODE": "4"}))
    assert found["yookassa"]["vat_code"] == 4
    with pytest.raises(ImproperlyConfigured, match="YOOKASSA_VAT_CODE is 13"):
        payment_providers.providers(env_with({**keys, "YOOKASSA_VAT_CODE": "13"}))


def test_forms_are_small_and_payment_messages_fit():
    """Forms are read and checked in threads shared by all visitors: large ones would block them."""
    assert MAX_BODY < settings.DATA_UPLOAD_MAX_MEMORY_SIZE < 1024 * 1024


def test_production_has_no_sandbox_unless_it_is_asked_for():
    assert read_setting(["PAYMENT_PROVIDERS"], PRODUCTION) == [{}]
    (found,) = read_setting(["PAYMENT_PROVIDERS"], {**PRODUCTION, "SANDBOX_PAYMENTS": "1"})
    assert set(found) == {"sandbox"}


@pytest.mark.parametrize("code", sorted(PAYMENT_KEYS))
def test_sandbox_is_refused_beside_a_provider_that_takes_money(code):
    env = {**PRODUCTION, **PAYMENT_KEYS[code], "SANDBOX_PAYMENTS": "1"}
    answer = python("-c", "import config.settings", env=env)
    assert answer.returncode != 0
    assert f"SANDBOX_PAYMENTS is on beside the keys of {code}" in answer.stderr


def test_demonstration_may_have_the_sandbox_beside_a_provider():
    env = {**PRODUCTION, **PAYMENT_KEYS["stripe"], "DEMO": "1", "ALLOWED_HOSTS": "localhost"}
    (found,) = read_setting(["PAYMENT_PROVIDERS"], env)
    assert set(found) == {"stripe", "sandbox"}
