"""Headers of every kind of answer, under the settings of production.

The pages are requested in a separate process (headers_probe.py), since many settings are computed
when config/settings.py is imported.
"""

import dataclasses
import json
from typing import Any

import pytest

from tests.config import observatory
from tests.config.observatory import Visit, score
from tests.config.test_settings import PRODUCTION, python
from tests.support.migrated import migrated_file

HOST = PRODUCTION["ALLOWED_HOSTS"]
# Cookies of public pages. Forms need the token, and later pages need the language. Neither cookie
# identifies anyone.
NEEDED_COOKIES = {"__Host-csrftoken", "django_language"}
# Pages that set their own Cache-Control or hold no personal data.
CACHEABLE_PAGES = {"jsi18n", "manifest", "healthz", "service_worker", "offline"}
A_YEAR = "max-age=31536000; includeSubDomains; preload"

Answer = dict[str, Any]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Answer]:
    folder = tmp_path_factory.mktemp("production")
    env = {key: value for key, value in PRODUCTION.items() if key != "REDIS_URL"} | {
        "DATABASE_URL": migrated_file(folder / "site.sqlite3"),
        "MEDIA_ROOT": str(folder),
        "LOG_LEVEL": "CRITICAL",
        # Switched on, these settings would lead the member to another page first.
        "ASK_TO_ACCEPT_TERMS": "0",
        "STAFF_SECOND_FACTOR": "0",
        "STAFF_SIGN_IN_HOURS": "0",
        "PYTHONPATH": ".",
    }
    answer = python("tests/config/headers_probe.py", env=env)
    assert answer.returncode == 0, answer.stderr
    found: list[Answer] = json.loads(answer.stdout)
    return found


def named(answers: list[Answer], name: str, who: str = "visitor") -> Answer:
    return next(each for each in answers if (each["name"], each["who"]) == (name, who))


def visit(answers: list[Answer], answer: Answer) -> Visit:
    leads_to = named(answers, "to https")["headers"]["location"]
    return Visit(answer["headers"], answer["cookies"], answer["scripts"], leads_to, HOST)


def test_every_kind_of_page_has_its_expected_status(answers: list[Answer]) -> None:
    """Otherwise the tests below would judge error pages."""
    wanted = {str(status): status for status in (400, 403, 404, 405, 422, 429, 500)}
    wanted |= {"400 http": 400, "to https": 301, "to language": 302}
    for name, status in wanted.items():
        assert named(answers, name)["status"] == status, name
    for answer in answers:
        if answer["name"] not in wanted and (answer["name"], answer["who"]) != (
            "admin:index",
            "visitor",
        ):
            assert answer["status"] == 200, (answer["name"], answer["who"])


def test_every_page_scores_at_least_100(answers: list[Answer]) -> None:
    scores = {
        (answer["name"], answer["who"]): score(visit(answers, answer))
        for answer in answers
        if answer["is_html"] and "http" not in answer["name"]
    }
    assert len(scores) > 30
    assert {page: points for page, points in scores.items() if points < 100} == {}
    assert scores["home", "visitor"] == 135  # with every bonus


def test_every_answer_has_the_strict_policy(answers: list[Answer]) -> None:
    for answer in answers:
        policy = answer["headers"].get("content-security-policy", "")
        where = (answer["name"], answer["who"])
        if answer["name"] == "to https":
            continue  # only a redirect
        assert "default-src 'none'" in policy, where
        assert "script-src 'self'" in policy, where
        assert "base-uri 'none'" in policy, where
        assert "frame-ancestors 'none'" in policy, where
        assert "unsafe" not in policy, where
        assert "http:" not in policy, where


def test_every_answer_over_https_has_the_security_headers(answers: list[Answer]) -> None:
    for answer in answers:
        headers, where = answer["headers"], (answer["name"], answer["who"])
        assert "access-control-allow-origin" not in headers, where
        if "http" in answer["name"]:
            continue
        assert headers["strict-transport-security"] == A_YEAR, where
        assert headers["x-content-type-options"] == "nosniff", where
        assert headers["x-frame-options"] == "DENY", where
        assert headers["referrer-policy"] == "same-origin", where
        assert headers["cross-origin-opener-policy"] == "same-origin", where
        assert headers["cross-origin-resource-policy"] == "same-origin", where
        assert "server" not in headers, where


def test_plain_http_redirects_to_the_same_page_over_https(answers: list[Answer]) -> None:
    assert named(answers, "to https")["headers"]["location"] == f"https://{HOST}/en/"


def test_public_pages_set_only_needed_cookies(answers: list[Answer]) -> None:
    for answer in answers:
        if answer["who"] == "visitor":
            names = {cookie.split("=")[0] for cookie in answer["cookies"]}
            assert names <= NEEDED_COOKIES, answer["name"]


def test_every_cookie_but_the_language_is_hidden_from_scripts(answers: list[Answer]) -> None:
    for answer in answers:
        for cookie in answer["cookies"]:
            name, flags = cookie.split("=")[0], cookie.lower()
            assert "; secure" in flags, cookie
            assert "samesite=lax" in flags, cookie
            assert "domain=" not in flags, cookie
            if name != "django_language":
                assert name.startswith("__Host-"), cookie
                assert "httponly" in flags, cookie


def test_member_pages_are_not_cached(answers: list[Answer]) -> None:
    """Otherwise a proxy, or the browser's back button after the sign-out, could show them."""
    for answer in answers:
        if answer["who"] == "member" and answer["name"] not in CACHEABLE_PAGES:
            control = answer["headers"].get("cache-control", "")
            assert "no-store" in control, answer["name"]
            assert "public" not in control, answer["name"]


def test_no_page_has_inline_or_foreign_scripts(answers: list[Answer]) -> None:
    """The Content Security Policy blocks both."""
    for answer in answers:
        for tag in answer["scripts"].split("<script")[1:]:
            assert " src=" in tag or 'type="application/json"' in tag, (answer["name"], tag)
            assert "//" not in tag, (answer["name"], tag)


# --- The score itself -------------------------------------------------------------------------


def test_score_falls_for_missing_headers(answers: list[Answer]) -> None:
    page = visit(answers, named(answers, "home"))

    def without(*names: str, **changed: str) -> Visit:
        headers = {key: value for key, value in page.headers.items() if key not in names}
        renamed = {key.replace("_", "-"): value for key, value in changed.items()}
        return dataclasses.replace(page, headers=headers | renamed)

    assert score(without("content-security-policy")) == 75
    assert score(without("strict-transport-security")) == 80
    assert score(without("x-content-type-options")) == 130
    assert score(without(access_control_allow_origin="*")) == 50
    loose = page.headers["content-security-policy"].replace(
        "script-src 'self'", "script-src 'self' 'unsafe-inline'"
    )
    assert score(without(content_security_policy=loose)) == 80
    assert score(dataclasses.replace(page, http_leads_to="http://other/")) == 80
    assert observatory.cookies(dataclasses.replace(page, cookies=["sessionid=1; Secure"])) == -30
    assert observatory.cookies(dataclasses.replace(page, cookies=["x=1"])) == -5
    assert (
        observatory.subresource_integrity(
            dataclasses.replace(page, scripts='<script src="https://cdn.example/x.js">')
        )
        < 0
    )
