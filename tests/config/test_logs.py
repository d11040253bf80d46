"""Log lines: one JSON object a line, with the ids of request and match."""

import io
import json
import logging
from asyncio import run
from smtplib import SMTPRecipientsRefused

import pytest

from accounts.shared.logs import ids as log_ids
from config import logs
from config.asgi import application
from games import selectors
from tests.accounts.factories import member, session_key, sign_in
from tests.support.sockets import PatientSocket


def record(message="moved %s", arguments=("13/7",), **extra):
    made = logging.LogRecord("games", logging.INFO, __file__, 1, message, arguments, None)
    for key, value in extra.items():
        setattr(made, key, value)
    return made


@pytest.fixture
def ids():
    values = {log_ids.request_id: "r1", log_ids.user_id: "7", log_ids.match_id: "AbCdEf123456"}
    tokens = {variable: variable.set(value) for variable, value in values.items()}
    yield
    for variable, token in tokens.items():
        variable.reset(token)


def test_line_is_json_with_the_ids_of_its_context(ids):
    made = record()
    assert logs.AddIds().filter(made)
    line = json.loads(logs.JsonFormatter().format(made))
    assert line["message"] == "moved 13/7"
    assert (line["request"], line["user"], line["match"]) == ("r1", "7", "AbCdEf123456")
    assert line["level"] == "INFO"


def test_match_named_by_the_caller_is_kept(ids):
    made = record(match="other")
    logs.AddIds().filter(made)
    assert json.loads(logs.JsonFormatter().format(made))["match"] == "other"


def test_extra_fields_of_the_caller_are_in_the_line(ids):
    made = record(code="busy", request=object())
    logs.AddIds().filter(made)
    line = json.loads(logs.JsonFormatter().format(made))
    assert line["code"] == "busy"
    assert line["request"] == "r1"  # not the request object that Django adds


def test_lines_of_a_block_about_a_match_name_it(ids):
    with log_ids.about_match("other"):
        made = record()
        logs.AddIds().filter(made)
    assert made.match == "other"
    assert log_ids.match_id.get() == "AbCdEf123456"


def test_exception_is_part_of_the_same_line(ids):
    try:
        raise ValueError("broken")
    except ValueError as error:
        made = record(exc_info=None)
        made.exc_info = (type(error), error, error.__traceback__)
    text = logs.JsonFormatter().format(made)
    assert "\n" not in text
    assert "ValueError: broken" in json.loads(text)["exception"]


@pytest.mark.django_db
def test_page_of_a_match_logs_the_match(client, monkeypatch):
    seen = []
    real = selectors.actor_of
    monkeypatch.setattr(
        "games.selectors.actor_of",
        lambda *given: seen.append(log_ids.match_id.get()) or real(*given),
    )
    client.raise_request_exception = False
    client.get("/match/AbCdEf123456/")
    assert seen[:1] == ["AbCdEf123456"]


@pytest.mark.django_db
def test_page_logs_its_member_and_a_later_page_of_a_guest_logs_none(client):
    user = member("reader")
    sign_in(client, user)
    client.get("/profile/")
    assert log_ids.user_id.get() == str(user.pk)
    client.logout()
    client.get("/healthz")
    assert log_ids.user_id.get() == ""


@pytest.mark.django_db(transaction=True)
def test_socket_of_a_table_logs_its_user_and_match_and_its_own_id(monkeypatch):
    seen = []

    def fail(*arguments):
        seen.append((log_ids.request_id.get(), log_ids.user_id.get(), log_ids.match_id.get()))
        raise OSError("on purpose")

    monkeypatch.setattr("games.selectors.actor_of", fail)
    user = member("player")
    run(open_and_close("/ws/match/AbCdEf123456/", session_key(user)))
    [(request, logged_user, match)] = seen
    assert (len(request), logged_user, match) == (12, str(user.pk), "AbCdEf123456")


async def open_and_close(path, key):
    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver")]
    headers.append((b"cookie", f"sessionid={key}".encode()))
    socket = PatientSocket(application, path, headers)
    await socket.connect()
    await socket.disconnect()


SECRET = "a-long-secret-of-this-site"


@pytest.mark.parametrize(
    "name_and_value",
    [
        ("SECRET_KEY", SECRET),
        ("DICE_SEAL_KEYS", ["another-secret", SECRET]),
        ("EMAIL_HOST_PASSWORD", SECRET),
        ("REDIS_URL", f"redis://:{SECRET}@localhost:6379/0"),
        ("PAYMENT_PROVIDERS", {"stripe": {"secret": "x" * 9, "webhook_secret": SECRET}}),
        ("SOCIALACCOUNT_PROVIDERS", {"google": {"APPS": [{"secret": SECRET}]}}),
    ],
    ids=lambda pair: pair[0],
)
@pytest.mark.parametrize("form", [logs.JsonFormatter, logs.TextFormatter])
def test_secret_of_the_settings_is_left_out_of_message_and_exception(
    form, name_and_value, settings
):
    setattr(settings, *name_and_value)
    logs._secrets.cache_clear()
    try:
        raise ValueError(f"cannot use {SECRET}")
    except ValueError as error:
        made = record("tried %s", (SECRET,), code=SECRET)
        made.exc_info = (type(error), error, error.__traceback__)
    text = form().format(made)
    logs._secrets.cache_clear()
    assert SECRET not in text
    assert "ValueError: cannot use ***" in text


@pytest.mark.parametrize("name", ["password", "sslpassword"])
def test_secret_of_the_query_of_the_databases_url_is_left_out(name, monkeypatch, settings):
    options = {name: SECRET, "sslmode": "verify-full"}
    monkeypatch.setitem(settings.DATABASES["default"], "OPTIONS", options)
    logs._secrets.cache_clear()
    text = logs.without_secrets(f"cannot connect: {options}")
    logs._secrets.cache_clear()
    assert SECRET not in text
    assert "verify-full" in text


@pytest.mark.parametrize(
    "path",
    [
        "/account/confirm-email/MzQ:1tRkYp:abcdef/",
        "/account/password/reset/key/1a-ccq0vo-0123456789abcdef/",
        "/profile/notices/stop/abcdefgh01234567/",
        "/support/link/abcdefgh01234567/",
        "/play/friend/AbCdEf123456/",
        "/recap/shared/abcdefgh01234567/",
    ],
)
def test_secret_part_of_a_link_is_left_out(path):
    text = logs.without_secrets(f"Internal Server Error: {path}")
    assert text == f"Internal Server Error: {path.rsplit('/', 2)[0]}/***/"


def test_tokens_in_the_address_of_another_site_are_left_out():
    """The error of a failed request, as when Facebook does not answer, names the whole address."""
    tokens = "access_token=EAAB0123%7Cxyz&appsecret_proof=0123abcd&code=AQD-0_1"
    failed = "Max retries exceeded with url: /v19.0/me?fields=id%2Cemail&{} (Caused by x)"
    hidden = "access_token=***&appsecret_proof=***&code=***"
    assert logs.without_secrets(failed.format(tokens)) == failed.format(hidden)


@pytest.mark.parametrize("form", [logs.JsonFormatter, logs.TextFormatter])
def test_email_address_that_a_mail_server_refuses_is_left_out(form):
    """Logs are kept longer than accounts: no address of a closed account may remain in them."""
    replies = {"anna.b+1@example.org": (550, b"5.1.1 <anna.b+1@example.org>: unknown")}
    error = SMTPRecipientsRefused(replies)
    made = record("email %d not sent: %s", (7, error), cause=error)
    made.exc_info = (type(error), error, None)
    text = form().format(made)
    assert "anna" not in text
    assert "5.1.1 <***@example.org>: unknown" in text


@pytest.mark.parametrize("text", ["no-reply@localhost", "@cached_property", "a @ b.c", "user@"])
def test_text_without_an_email_address_stays_readable(text):
    assert logs.without_secrets(text) == text


def test_value_of_a_setting_that_is_no_secret_stays_readable(settings):
    settings.SOCIALACCOUNT_PROVIDERS = {"google": {"SCOPE": ["public_profile"], "APPS": []}}
    logs._secrets.cache_clear()
    assert logs.without_secrets("public_profile") == "public_profile"
    logs._secrets.cache_clear()


@pytest.fixture
def console():
    """Yield a stream that gets the text that the site's own handler writes."""
    [handler] = [
        each
        for each in logging.getLogger().handlers
        if any(isinstance(one, logs.AddIds) for one in each.filters)
    ]
    text = io.StringIO()
    stream = handler.setStream(text)
    yield text
    handler.setStream(stream)


@pytest.mark.django_db
def test_bad_request_of_a_client_is_not_an_error_of_the_site(client, console, settings):
    settings.ALLOWED_HOSTS = ["testserver"]
    assert client.get("/en/", headers={"host": "evil.example"}).status_code == 400
    large = {"theme": "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)}
    assert client.post("/settings/theme/", large).status_code in (400, 413)
    assert client.post("/account/login/", large).status_code in (400, 413)
    written = console.getvalue()
    assert "WARNING" in written
    assert "ERROR" not in written
    assert "Traceback" not in written


def test_fault_of_the_site_keeps_its_level_and_traceback(console):
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("django.request").exception("failed")
    assert "ERROR" in console.getvalue()
    assert "Traceback" in console.getvalue()
