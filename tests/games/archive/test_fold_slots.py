"""Requests that fold many matches cannot keep a process from serving its tables."""

import threading
from functools import cache
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.archive import fold_slots
from games.archive.fold_slots import NoSlot, Slots
from games.engine.rules import Rules
from games.models import Match
from tests.games.factories import StakeMatchFactory
from tests.games.played_out import play_out
from tests.support.patience import PATIENCE_S, new_barrier

pytestmark = pytest.mark.django_db

ADDRESS = "198.51.100.1"


@pytest.fixture
def match() -> Match:
    return play_out(StakeMatchFactory(rules=Rules.of("short", delay_ms=20_000)))


@cache
def stranger() -> Client:
    """Return one browser for all tests, since each new one would load the middleware again."""
    return Client()


def get(match: Match, page: str = "export_json", address: str = ADDRESS, **headers: str) -> Any:
    url = reverse(f"games:{page}", args=[match.public_id])
    return stranger().get(url, REMOTE_ADDR=address, headers=headers)


@pytest.mark.parametrize("name", ["review", "export_json", "export_mat", "export_text"])
def test_repeated_requests_of_one_address_are_refused_with_a_page(
    match: Match, name: str, settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"match_pages": "4/h/ip"}
    for _ in range(4):
        assert get(match, name).status_code in (200, 404)
    refused = get(match, name)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 3600
    assert "You are opening too many pages at once" in refused.content.decode()
    assert get(match, name, address="203.0.113.9").status_code != 429


def test_refusal_is_in_the_language_of_the_reader(match: Match, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"match_pages": "1/h/ip"}
    get(match)
    page = get(match, **{"accept-language": "tr"}).content.decode()
    assert 'lang="tr"' in page
    assert "Too many" not in page


def test_address_that_opens_many_matches_is_refused_before_they_are_folded(
    match: Match, settings: Any
) -> None:
    assert get(match).status_code == 200
    other = play_out(StakeMatchFactory(rules=Rules.of("short", delay_ms=20_000)))
    settings.ACCOUNT_RATE_LIMITS = {"match_folds": "1/h/ip"}
    assert get(other).status_code == 200
    assert get(other, "export_mat").status_code == 429
    assert get(match).status_code == 200  # from its stored form, without a fold


def test_busy_process_refuses_a_fold_and_serves_what_is_stored(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert get(match).status_code == 200
    monkeypatch.setattr(fold_slots, "WAIT_S", 0.01)
    monkeypatch.setattr(fold_slots, "_slots", Slots(1, 1))
    with fold_slots.slot():
        refused = get(match, "export_mat")
        assert refused.status_code == 429
        assert refused["Retry-After"] == "1"
        assert get(match).status_code == 200
    assert get(match, "export_mat").status_code == 200


def test_no_more_requests_than_slots_work_at_once() -> None:
    slots, now, most = Slots(2, 20), 0, 0
    guard, begin, pair = threading.Lock(), new_barrier(10), new_barrier(2)

    def work() -> None:
        nonlocal now, most
        begin.wait()
        with slots.one(PATIENCE_S):
            with guard:
                now += 1
                most = max(most, now)
            pair.wait()  # until another thread works too
            threading.Event().wait(0.01)
            with guard:
                now -= 1

    threads = [threading.Thread(target=work) for _ in range(10)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (now, most) == (0, 2)


def test_request_is_refused_at_once_when_too_many_wait() -> None:
    slots = Slots(1, 0)
    with slots.one(0), pytest.raises(NoSlot), slots.one(PATIENCE_S):
        pass
    with slots.one(0):
        pass


def test_failed_work_gives_its_slot_back() -> None:
    slots = Slots(1, 0)
    for _ in range(2):
        with pytest.raises(ValueError), slots.one(0):
            raise ValueError
