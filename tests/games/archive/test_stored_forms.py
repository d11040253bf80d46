"""A finished match is folded once; afterwards its pages and files come from stored forms."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.closing.services import close
from games.archive import store
from games.engine.formats import long_text, mat
from games.engine.formats.json_export import checked_state, from_export
from games.engine.rules import Rules
from games.exports.match_file import export_of, json_of, text_of
from games.models import Match, StoredForm
from games.reviews import stored
from games.services import matches
from games.services.guests import forget_guests
from tests.games.browsing import data_in
from tests.games.factories import START, Sitting, StakeMatchFactory
from tests.games.played_out import play_out
from tests.games.reviews.reviewing import finished, reviewed
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db

PAGES = ("review", "export_json", "export_mat")


def played(variant: str = "short", length: int = 1, **fields: Any) -> Match:
    rules = Rules.of(variant, length=length, delay_ms=20_000)
    return play_out(StakeMatchFactory(rules=rules, now=START, **fields))


@cache
def stranger() -> Client:
    """Return one browser for all tests, since each new one would load the middleware again."""
    return Client()


def get(match: Match, page: str) -> Any:
    return stranger().get(reverse(f"games:{page}", args=[match.public_id]))


def reads_of_the_log(match: Match, name: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert get(match, name).status_code == 200
    return sum('FROM "games_action"' in each["sql"] for each in queries.captured_queries)


@pytest.mark.parametrize("name", PAGES)
def test_repeated_requests_fold_a_finished_match_once(name: str) -> None:
    match = played()
    assert [reads_of_the_log(match, name) for _ in range(4)] == [1, 0, 0, 0]


@pytest.mark.parametrize("name", PAGES)
def test_review_does_not_make_the_site_fold_again(name: str) -> None:
    match = played()
    for each in PAGES:
        get(match, each)
    reviewed(SimpleNamespace(match=match))  # type: ignore[arg-type]
    assert [reads_of_the_log(match, name) for _ in range(2)] == [0, 0]


def test_review_page_reads_the_judgments_once() -> None:
    match = played()
    reviewed(SimpleNamespace(match=match))  # type: ignore[arg-type]
    reads = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            get(match, "review")
        reads.append(sum('"judgments"' in each["sql"] for each in queries.captured_queries))
    assert reads == [1, 0]


@pytest.mark.parametrize(("variant", "dump"), [("short", mat.dump), ("long", long_text.dump)])
@pytest.mark.parametrize("is_reviewed", [False, True])
def test_files_from_stored_forms_equal_those_from_the_log(
    variant: str, dump: Any, is_reviewed: bool
) -> None:
    match = played(variant, length=3)
    if is_reviewed:
        reviewed(SimpleNamespace(match=match))  # type: ignore[arg-type]
    for _ in range(2):
        assert json.loads(json_of(match, nullcontext)) == export_of(match)
        lines = text_of(match, nullcontext).splitlines()
        plain = [line for line in lines if not line.startswith("; ") or line.startswith("; [")]
        plain = [line for line in plain if "Annotator" not in line]
        assert plain == dump(export_of(match)).splitlines()
        assert (len(plain) < len(lines)) is is_reviewed


def test_closing_an_account_takes_its_name_out_of_every_file() -> None:
    white, black = player("whitename5"), player("blackname5")
    match = played(white=white, black=black)
    reviewed(SimpleNamespace(match=match))  # type: ignore[arg-type]
    for page in PAGES:
        assert "whitename5" in get(match, page).content.decode()
    close(white.pk, match.created_at)
    for page in PAGES:
        text = get(match, page).content.decode()
        assert "whitename5" not in text
        assert "blackname5" in text
    names = [each.name for each in StoredForm.objects.filter(match=match)]
    forms = store.find(match, names)
    assert len(forms) == len(names) > 0
    assert not [text for text in forms.values() if "name5" in text]


def test_stored_form_of_an_older_version_is_replaced() -> None:
    match = played()
    steps = data_in(get(match, "review").content.decode(), "review-steps")
    count = StoredForm.objects.filter(match=match).count()
    StoredForm.objects.update(version=store.VERSION - 1, content=b"")
    assert reads_of_the_log(match, "review") == 1
    assert data_in(get(match, "review").content.decode(), "review-steps") == steps
    assert StoredForm.objects.filter(match=match, version=store.VERSION).count() == count


# Digest of the forms by store.VERSION. If the forms change, raise VERSION and add the new digest.
DIGESTS = {3: "dc921abfa0fbcad7", 4: "0a0cf8e9b0100d20"}


def test_changed_form_needs_a_new_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "new_secret", lambda: bytes(32))
    monkeypatch.setattr(matches, "new_public_id", lambda: "storedmatch1")
    match = played(length=2)
    review = reviewed(SimpleNamespace(match=match))  # type: ignore[arg-type]
    review.judge = {"net": "short"}
    made = stored.of_review(match, review)
    get(match, "export_json")
    get(match, "export_mat")
    made |= store.find(match, ["json", "text"])
    text = json.dumps(made, sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[store.VERSION]


def test_file_is_served_even_if_its_forms_cannot_be_stored(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = played()

    def fail(*args: Any, **fields: Any) -> None:
        raise OperationalError("locked")

    monkeypatch.setattr(StoredForm.objects, "bulk_create", fail)
    assert get(match, "export_json").status_code == 200
    assert "forms not stored" in caplog.text


def test_forms_are_deleted_with_the_forgotten_match_of_a_guest() -> None:
    sitting = finished(turns=2)
    json_of(sitting.match, nullcontext)
    assert StoredForm.objects.exists()
    tomorrow = sitting.now + timedelta(days=1)
    assert forget_guests(tomorrow, tomorrow) == 1
    assert not StoredForm.objects.exists()


def test_file_of_a_match_that_ends_while_it_is_written_agrees_with_itself() -> None:
    sitting = Sitting(Rules.of("short")).sit().start_game()
    read_before = Match.objects.get(pk=sitting.match.pk)

    @contextmanager
    def slot() -> Iterator[None]:
        sitting.do("resign_match")
        yield

    file = json.loads(json_of(read_before, slot))
    assert sitting.match.actions.filter(verb="reveal", seq__gt=read_before.seq).exists()
    assert checked_state(from_export(file)).outcome is None
    assert file["dice"]["secret"] is None


def test_running_match_has_no_stored_forms() -> None:
    running = StakeMatchFactory(rules=Rules.of("short", delay_ms=20_000))
    json_of(running, nullcontext)
    text_of(running, nullcontext)
    stored.steps_of(running, 1, nullcontext)
    assert not StoredForm.objects.filter(match=running).exists()
