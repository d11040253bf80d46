"""Log lines: one JSON object a line, with the ids of request and match."""

import io
import json
import logging

import pytest

from config import logs


def record(message="moved %s", arguments=("13/7",), **extra):
    made = logging.LogRecord("games", logging.INFO, __file__, 1, message, arguments, None)
    for key, value in extra.items():
        setattr(made, key, value)
    return made


@pytest.fixture
def ids():
    tokens = (logs.request_id.set("r1"), logs.match_id.set("AbCdEf123456"))
    yield
    logs.request_id.reset(tokens[0])
    logs.match_id.reset(tokens[1])


def test_line_is_json_with_the_ids_of_its_context(ids):
    made = record()
    assert logs.AddIds().filter(made)
    line = json.loads(logs.JsonFormatter().format(made))
    assert line["message"] == "moved 13/7"
    assert (line["request"], line["match"]) == ("r1", "AbCdEf123456")
    assert line["level"] == "INFO"


def test_match_named_by_the_caller_is_kept(ids):
    made = record(match="other")
    logs.AddIds().filter(made)
    assert json.loads(logs.JsonFormatter().format(made))["match"] == "other"


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
    monkeypatch.setattr(
        "games.selectors.actor_of", lambda *_: seen.append(logs.match_id.get()) or None
    )
    client.raise_request_exception = False
    client.get("/match/AbCdEf123456/")
    assert seen[:1] == ["AbCdEf123456"]


@pytest.fixture
def console():
    """Return the text that the site's own handler writes."""
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
