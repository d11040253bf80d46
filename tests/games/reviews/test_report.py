"""The results of a review on the match's page and in the files exported from the match."""

import json
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from games.engine.formats import long_text, mat
from games.engine.rules import Rules
from games.engine.sides import Side
from games.exports.match_file import export_of, text_of
from games.models import Review
from games.reviews import queue
from games.reviews.comments import _error
from games.reviews.playback import StepAddress
from games.reviews.report import Finding
from games.templatetags.review import lucky_title, percent, signed
from tests.games.browsing import browser_of, data_in
from tests.games.factories import Sitting, StakeSitting
from tests.games.reviews.reviewing import finished, reviewed
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def address(sitting: Sitting, page: str = "review") -> str:
    return reverse(f"games:{page}", args=[sitting.public_id])


def read(sitting: Sitting, query: str = "", browser: Client | None = None) -> str:
    answer = (browser or browser_of(sitting)).get(address(sitting) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def state_of(sitting: Sitting) -> str:
    return browser_of(sitting).get(address(sitting, "review_state")).content.decode()


def errors_of(review: Review) -> list[str]:
    return [each["played"] for each in review.judgments.values() if each.get("loss")]


@pytest.mark.parametrize("variant", ["short", "long"])
def test_totals_name_the_judge_and_its_depth_and_the_error_limits(variant: str) -> None:
    sitting = finished(variant=variant)
    review = reviewed(sitting)
    page = read(sitting)
    assert review.judge["sha256"][:8] in page
    assert "Plays are evaluated by looking one turn ahead" in page
    limits = "loss of 0.04 points or more is doubtful (?!), 0.08 or more a mistake (?)"
    assert f"{limits}, 0.16 or more a blunder (??)" in page
    assert "75.0" in page  # 500 times 0.15, the loss of every choice
    assert page.count("grade-mistake") >= len(errors_of(review))


def test_only_a_match_with_the_cube_counts_decisions_with_it() -> None:
    for cube in (True, False):
        sitting = finished(cube=cube)
        reviewed(sitting)
        page = read(sitting)
        assert ("including cube decisions" in page) is cube
        assert "can be below 0% or above 100%" in page


def test_shares_of_mars_are_shown_only_where_mars_counts() -> None:
    for mars in (True, False):
        sitting = Sitting(Rules.of("short", length=3, mars=mars)).sit().start_game()
        for _ in range(8):
            sitting.act_simply()
        sitting.do("resign_match")
        sitting.match.refresh_from_db()
        reviewed(sitting)
        page = read(sitting)
        assert 'class="table-list found-plays"' in page
        assert ("Loses mars" in page) is mars


def test_list_of_rolls_is_named_for_what_it_shows() -> None:
    sitting = finished()
    reviewed(sitting)
    assert "<h3>The luckiest rolls</h3>" in read(sitting)
    rolls = [Finding(1, StepAddress(1, 1), {"luck": luck}, "") for luck in (0.2, -0.1)]
    assert lucky_title(rolls) == "The luckiest and unluckiest rolls"
    assert lucky_title(rolls[1:]) == "The unluckiest rolls"


def test_every_error_is_marked_and_linked_to_its_step() -> None:
    sitting = finished()
    review = reviewed(sitting)
    page = read(sitting)
    errors = data_in(page, "review-errors")
    assert len(errors) == len(errors_of(review))
    for game, step in errors:
        assert f'class="move-error" href="?game={game}&amp;step={step}#board"' in page
    steps = data_in(page, "review-steps")
    assert [steps[step]["text"] for _, step in errors] == errors_of(review)


def test_step_without_script_shows_the_better_play() -> None:
    sitting = finished()
    reviewed(sitting)
    page = read(sitting)
    errors = data_in(page, "review-errors")
    (_, first), (_, second) = errors[:2]
    at_first = read(sitting, f"?game=1&step={first}")
    assert "arrow-good" in at_first
    shown = re.search(r'<section data-found="(\d+)">(.*?)</section>', at_first, re.DOTALL)
    assert shown is not None
    assert int(shown[1]) == first
    assert "It is safer" in shown[2]
    assert "Evaluated by looking one turn ahead." in shown[2]
    after = re.search(r'href="([^"]+)"[^>]*data-go="error-after"', at_first)
    assert after is not None
    assert after[1] == f"?game=1&amp;step={second}#board"
    assert 'aria-disabled="true" data-go="error-before"' in at_first
    assert "arrow-good" not in page
    assert "style=" not in at_first


@pytest.mark.parametrize("variant", ["short", "long"])
def test_svg_numbers_are_not_localized(variant: str) -> None:
    sitting = finished(variant=variant)
    reviewed(sitting)
    browser = browser_of(sitting)
    browser.post(reverse("set_language"), {"language": "ru"})
    page = read(sitting, "?step=3", browser)
    assert '<html lang="ru"' in page
    drawn = re.findall(r' (?:d|x|y|cx|cy|transform|viewBox)="([^"]*)"', page)
    assert len(drawn) > 100
    assert not [text for text in drawn if "," in text]


def test_number_rounded_to_zero_has_no_sign() -> None:
    with translation.override("en"):
        assert (percent(-0.0004), percent(-0.0006), signed(-0.004)) == ("0.0%", "−0.1%", "0.00")


def test_minus_stands_before_a_percent_sign_that_stands_first() -> None:
    with translation.override("tr"):
        assert (percent(-0.063), percent(0.063)) == ("−%6,3", "%6,3")


def test_page_reads_log_and_judgments_once() -> None:
    sitting = finished()
    reviewed(sitting)
    with CaptureQueriesContext(connection) as queries:
        read(sitting)
    statements = [each["sql"] for each in queries.captured_queries]
    assert sum('FROM "games_action"' in each for each in statements) == 1
    assert sum('"judgments"' in each for each in statements) == 1


def test_invalid_step_shows_the_last_or_first_step() -> None:
    sitting = finished(turns=1)
    last = len(data_in(read(sitting), "review-steps")) - 1
    for wanted, at in (("99", last), ("x", 0), ("-1", 0)):
        assert f'data-at="{at}"' in read(sitting, f"?step={wanted}")


def test_graph_shows_the_readers_chances() -> None:
    white, black = finished(), finished(side=Side.BLACK)
    for sitting, share in ((white, 60), (black, 40)):
        reviewed(sitting)
        review = Review.objects.get(match=sitting.match)
        for each in review.judgments.values():
            if each["side"] == "black":
                each["chances"][0] = 0.4
                for play in each.get("plays", []):
                    play["chances"][0] = 0.4
        review.save()
        assert f"From {share} percent" in read(sitting)


def test_requested_review_shows_progress_until_done() -> None:
    sitting = finished()
    browser = browser_of(sitting)
    assert "review-ask" in read(sitting)
    assert browser.post(address(sitting, "ask_review")).url == address(sitting)
    page = read(sitting)
    assert "waiting in the queue" in page
    assert "review-ask" not in page
    lease = queue.take_lease(timezone.now())
    assert lease is not None
    queue.save(lease, queue.TurnResult(5, 3, {}), timezone.now())
    assert 'hx-trigger="every 2s"' in state_of(sitting)
    assert re.search(r"reviewed so far: 3 of \d+\.", state_of(sitting))
    Review.objects.all().delete()
    reviewed(sitting)
    assert "hx-trigger" not in state_of(sitting)
    assert "The review is ready" in state_of(sitting)


def test_page_says_why_a_review_cannot_be_requested() -> None:
    sitting, other = finished(turns=1), finished(turns=1)
    other.match.seats.filter(guest=other.guest).update(guest=sitting.guest)
    other.guest = sitting.guest
    browser_of(sitting).post(address(sitting, "ask_review"))
    browser_of(sitting).post(address(other, "ask_review"))
    assert f'href="{address(sitting)}"' in state_of(other)
    assert "You can have one review at a time" in state_of(other)
    lease = queue.take_lease(timezone.now())
    assert lease is not None
    queue.save(lease, queue.TurnResult(0, 0, {}), timezone.now(), has_failed=True)
    assert "Ask again" in state_of(sitting)
    assert "Review this match" in state_of(other)


def test_player_may_request_a_review_that_is_made_while_the_site_is_idle() -> None:
    sitting, other = finished(turns=1), finished(turns=1)
    other.match.seats.filter(guest=other.guest).update(guest=sitting.guest)
    other.guest = sitting.guest
    queue.queue(Review(match=other.match), Review.IDLE_ASKER, timezone.now())
    assert "review-ask" in state_of(other)
    browser_of(sitting).post(address(sitting, "ask_review"))
    assert "review-ask" not in state_of(other)
    assert "You can have one review at a time" in state_of(other)
    Review.objects.filter(match=sitting.match).delete()
    browser_of(other).post(address(other, "ask_review"))
    assert not Review.objects.get().is_idle
    assert "review-ask" not in state_of(other)


def test_only_players_are_told_to_request_a_stopped_review_again() -> None:
    sitting = StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game()
    sitting.both_move(2)
    sitting.do("resign_match")
    now = timezone.now()
    Review.objects.create(
        match=sitting.match, state=Review.State.FAILED, plies=1, asked_at=now, turn_at=now,
        finished_at=now,
    )  # fmt: skip
    shown = read(sitting, browser=Client())
    assert "Ask again" not in shown
    assert "Its players can" in shown


def test_only_players_request_the_review_of_a_public_match_and_everybody_sees_it() -> None:
    sitting = StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game()
    for _ in range(6):
        sitting.act_simply()
    sitting.do("resign_match")
    stranger = Client()
    assert "Its players can" in read(sitting, browser=stranger)
    assert stranger.post(address(sitting, "ask_review")).status_code == 404
    assert not Review.objects.exists()
    reviewed(sitting)
    assert "review-sheet" in read(sitting, browser=stranger)


@pytest.mark.parametrize("variant", ["short", "long"])
def test_exports_contain_the_review(variant: str) -> None:
    sitting = finished(variant=variant)
    older = export_of(sitting.match)
    review = reviewed(sitting)
    exported = export_of(sitting.match)["review"]
    assert (exported["plies"], exported["judge"]) == (1, review.judge)
    assert exported["judgments"] == review.judgments
    assert "review" not in older
    text = text_of(sitting.match, nullcontext)
    assert review.judge["sha256"][:8] in text
    assert text.count("; game 1, ") == len(errors_of(review))
    read_back = (mat if variant == "short" else long_text).load(text)
    assert len(read_back["actions"]) > 8


@pytest.mark.parametrize(
    ("judgment", "named"),
    [
        ({"kind": "play", "dice": [3, 1], "played": "8/5", "best": "6/5"}, "31: 8/5"),
        ({"kind": "cube", "dice": [3, 1], "done": "roll", "best": "double"}, "cube: roll"),
        ({"kind": "cube", "done": "take", "best": "drop"}, "cube: take"),
        ({"kind": "cube", "done": "accept", "best": "refuse"}, "resignation: accept"),
    ],
)
def test_a_comment_names_the_decision(judgment: dict[str, Any], named: str) -> None:
    """The judgment of a missed double also has the dice of the later roll; comments omit them."""
    finding = Finding(1, StepAddress(1, 1), {**judgment, "side": "white", "loss": 0.2}, "blunder")
    words = f"game 1, white, {named}: blunder, -0.200; better: {judgment['best']}"
    assert _error(finding) == words


def test_verifydice_accepts_an_export_without_the_review_and_refuses_a_changed_review(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sitting = finished()
    path = tmp_path / "match.json"
    path.write_text(json.dumps(export_of(sitting.match)), encoding="utf-8")
    reviewed(sitting)
    call_command("verifydice", str(path))
    assert "is what this site has on record" in capsys.readouterr().out
    data = export_of(sitting.match)
    path.write_text(json.dumps(data), encoding="utf-8")
    call_command("verifydice", str(path))
    next(iter(data["review"]["judgments"].values()))["side"] = "nobody"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(CommandError, match="not what this site has on record"):
        call_command("verifydice", str(path))
    assert "review.judgments" in capsys.readouterr().err
