"""The training page: choices, errors, remembered choices, and the lists of matches."""

import re
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.bots.opponents import OPPONENTS
from games.bots.strength import MEASURED
from games.engine.match.state import MatchCause, Phase
from games.engine.rules import BlockRule, HeadRule, HitRule, Profile, Rules
from games.engine.sides import Side
from games.models import Match, Seat
from games.models.kind import TRAINING
from games.training import forms
from tests.accounts.factories import UserFactory
from tests.games.browsing import browser_of
from tests.games.factories import START, Sitting, StakeSitting
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

ADDRESS = "/training/"
# Form data that a browser sends for an unchanged form.
FORM_DEFAULTS = {
    "variant": "short",
    "length": "3",
    "level": "casual",
    "pace": "quick",
    "side": "white",
    "seconds": "0",
    "mars": "on",
    "koks": "usual",
    "cube": "usual",
    "crawford": "on",
    "profile": "classic",
    "block": "every_move",
    "hit": "free",
}


def choose(browser: Client | None = None, **choices: str | None) -> Any:
    """Send the form; leave out choices that are None, like unchecked checkboxes."""
    data = {
        name: value for name, value in {**FORM_DEFAULTS, **choices}.items() if value is not None
    }
    return (browser or Client()).post(ADDRESS, data)


def created(answer: Any) -> Match:
    assert answer.status_code == 302, answer.content.decode()
    match = Match.objects.get()
    assert answer["Location"] == reverse("games:match", args=[match.public_id])
    return match


def test_form_as_shown_creates_a_match_with_default_rules() -> None:
    match = created(choose())
    assert match.match_rules == Rules.of("short", length=3)
    assert match.policy is TRAINING
    seats = {seat.side: seat for seat in match.seats.all()}
    assert seats["white"].guest is not None
    assert seats["black"].bot == "casual"


@pytest.mark.parametrize(
    ("choices", "rules"),
    [
        ({"variant": "long"}, Rules.of("long", length=3)),
        ({"length": "1"}, Rules.of("short", length=1)),
        ({"length": "25"}, Rules.of("short", length=25)),
        ({"seconds": "30"}, Rules.of("short", length=3, delay_ms=30_000)),
        ({"mars": None}, Rules.of("short", length=3, mars=False)),
        ({"koks": "off"}, Rules.of("short", length=3, koks=False)),
        ({"variant": "long", "koks": "on"}, Rules.of("long", length=3, koks=True)),
        ({"parity": "on"}, Rules.of("short", length=3, parity=True)),
        ({"cube": "off"}, Rules.of("short", length=3, cube=False)),
        ({"length": "2"}, Rules.of("short", length=2, cube=False)),
        ({"length": "2", "cube": "on"}, Rules.of("short", length=2, cube=True)),
        ({"crawford": None}, Rules.of("short", length=3, crawford=False)),
        (
            {"variant": "long", "profile": "federation"},
            Rules.of("long", Profile.FEDERATION, length=3, koks=True, head=HeadRule.FIXED),
        ),
        ({"profile": "manual"}, Rules.of("short", Profile.MANUAL, length=3)),
        (
            {"variant": "long", "block": "end_of_turn"},
            Rules.of("long", length=3, block=BlockRule.END_OF_TURN),
        ),
        ({"hit": "no_hit_and_run"}, Rules.of("short", length=3, hit=HitRule.NO_HIT_AND_RUN)),
    ],
    ids=str,
)
def test_every_choice_becomes_a_rule_of_the_match(
    choices: dict[str, str | None], rules: Rules
) -> None:
    assert created(choose(**choices)).match_rules == rules


def test_missing_fields_get_their_defaults_and_missing_boxes_are_off() -> None:
    match = created(Client().post(ADDRESS, {"variant": "long"}))
    expected = Rules.of("long", length=3, mars=False, crawford=False)
    assert match.match_rules == expected


@pytest.mark.parametrize("level", [opponent.value for opponent in OPPONENTS])
def test_every_opponent_can_be_chosen_and_is_listed_as_a_bot(level: str) -> None:
    browser = Client()
    match = created(choose(browser, level=level, pace="at_once"))
    assert match.bot_pace == "at_once"
    assert match.seats.get(side="black").bot == level
    title = next(opponent.title for opponent in OPPONENTS if opponent.value == level)
    assert "(bot)" in title
    assert f"against {title}" in browser.get(ADDRESS).content.decode()


@pytest.mark.parametrize("variant", ["short", "long"])
def test_measured_strength_of_each_opponent_is_shown(variant: str) -> None:
    page = Client().get(ADDRESS).content.decode()
    strengths = MEASURED[variant].levels
    assert list(strengths) == [opponent.value for opponent in OPPONENTS]
    for found in strengths.values():
        loss = f"{found.loss:.1f} ± {found.loss_half:.1f}"
        assert f"Elo {found.elo} ± {found.elo_half} · loss per move {loss}" in page
    losses = [found.loss for found in strengths.values()]
    below_the_top = losses[:-1]
    assert all(weaker >= 1.5 * stronger for weaker, stronger in pairwise(below_the_top))
    assert losses[-1] <= losses[-2]
    for weaker, stronger in pairwise(strengths.values()):  # the best levels are close
        assert stronger.elo + stronger.elo_half > weaker.elo


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"mars": None, "koks": "on"}, "Koks counts only where mars does"),
        ({"length": "1", "cube": "on"}, "A match to 1 point has no cube"),
        ({"length": "0"}, "The minimum is 1."),
        ({"length": "26"}, "The maximum is 25."),
        ({"length": "three"}, "Enter a whole number"),
        ({"variant": "chess"}, "Select a valid choice"),
        ({"level": "wizard"}, "Select a valid choice"),
        ({"pace": "slow"}, "Select a valid choice"),
        ({"side": "green"}, "Select a valid choice"),
        ({"seconds": "11"}, "Select a valid choice"),
        ({"seconds": "-1"}, "Select a valid choice"),
        ({"profile": "own"}, "Select a valid choice"),
    ],
    ids=str,
)
def test_invalid_choice_is_refused_with_a_message_and_keeps_the_others(
    choices: dict[str, str | None], sentence: str
) -> None:
    answer = choose(**{"parity": "on", **choices})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert re.search(rf'<p class="error" id="id_\w+_error">[^<]*{sentence}', page)
    assert re.search(r'name="parity"[^>]* checked', page), "the other choices are kept"
    assert not Match.objects.exists()


def browser_of_member() -> Client:
    browser = Client()
    browser.force_login(UserFactory())
    return browser


def test_a_button_pressed_twice_begins_one_match() -> None:
    browser = browser_of_member()
    page = browser.get(ADDRESS).content.decode()
    [once] = re.findall(r'name="once" value="([^"]+)"', page)
    first, second = (choose(browser, once=once, side="random") for _ in range(2))
    match = created(first)
    assert second["Location"] == first["Location"]
    assert match.seats.count() == 2
    other = choose(browser, once=once, side="random", length="5")
    assert other["Location"] != first["Location"], "other choices are another match"


def test_form_of_a_finished_match_begins_another_one() -> None:
    browser, once = browser_of_member(), str(uuid4())
    first = choose(browser, once=once)
    over = {"phase": Phase.FINISHED.value, "outcome": MatchCause.VOID.value, "finished_at": START}
    Match.objects.update(**over)
    assert choose(browser, once=once)["Location"] != first["Location"]


def test_another_player_with_the_same_form_begins_another_match() -> None:
    once = str(uuid4())
    first, second = (choose(browser_of_member(), once=once) for _ in range(2))
    assert first["Location"] != second["Location"]


def test_random_side_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms.secrets, "choice", lambda sides: sides[1])
    match = created(choose(side="random"))
    assert match.seats.get(side="black").guest is not None


def test_last_choices_are_remembered() -> None:
    browser = Client()
    choose(
        browser, variant="long", length="7", level="strong", pace="person", seconds="45", mars=None
    )
    page = browser.get(ADDRESS).content.decode()
    for chosen in ("variant_1", "level_3", "pace_2"):
        assert re.search(rf'id="id_{chosen}"[^>]* checked', page) or re.search(
            rf' checked[^>]*id="id_{chosen}"', page
        )
    assert re.search(r'name="length"[^>]*value="7"', page)
    assert '<option value="45" selected>' in page
    assert not re.search(r'name="mars"[^>]* checked', page)


def start(browser: Client, variant: str) -> Any:
    return browser.post(reverse("games:start_training"), {"variant": variant})


def started(browser: Client, variant: str) -> Match:
    address = start(browser, variant)["Location"]
    return Match.objects.get(public_id=address.rstrip("/").rsplit("/", 1)[-1])


def test_start_without_earlier_choices_uses_the_defaults() -> None:
    assert created(start(Client(), "long")).match_rules == Rules.of("long", length=3)


def test_start_uses_the_last_choices_and_the_variant_of_the_button() -> None:
    browser = Client()
    choose(
        browser, length="7", level="strong", pace="person", seconds="45", mars=None, side="black"
    )
    match = started(browser, "long")
    assert match.match_rules == Rules.of("long", length=7, mars=False, delay_ms=45_000)
    assert match.bot_pace == "person"
    assert match.seats.get(side="white").bot == "strong"


def test_match_after_the_lessons_has_no_limit_of_time() -> None:
    browser = Client()
    choose(browser, length="7", level="strong", seconds="45")
    chosen = {"variant": "long", "level": "beginner"}
    browser.post(reverse("games:start_training"), chosen)
    match = Match.objects.get(variant="long")
    assert match.match_rules == Rules.of("long", length=7)
    assert match.seats.get(side="black").bot == "beginner"


def test_start_with_an_unknown_variant_uses_the_last_one() -> None:
    browser = Client()
    choose(browser, variant="long")
    assert started(browser, "chess").variant == "long"


def test_start_replaces_an_opponent_that_no_longer_exists() -> None:
    browser = Client()
    choose(browser)
    session = browser.session
    session["training"] = {**session["training"], "level": "wizard"}
    session.save()
    assert started(browser, "short").seats.get(side="black").bot == "casual"


def test_start_counts_towards_the_limit_and_needs_a_post(settings: Any) -> None:
    limits = {**settings.ACCOUNT_RATE_LIMITS, "guest_training": "1/10m/ip"}
    settings.ACCOUNT_RATE_LIMITS = limits
    assert start(Client(), "short").status_code == 302
    assert start(Client(), "short").status_code == 429
    assert Client().get(reverse("games:start_training")).status_code == 405


def test_changed_choices_in_the_collapsed_part_are_named() -> None:
    browser = Client()
    assert "Changed:" not in browser.get(ADDRESS).content.decode()
    choose(browser, seconds="45", parity="on")
    page = browser.get(ADDRESS).content.decode()
    changed = re.search(r"Changed:([^<]*)<", page)
    assert changed
    assert changed[1].split(", ") == [
        " Parity: equal turns",
        "so a draw is possible",
        "Time per turn",
    ]


def test_error_in_a_collapsed_field_opens_its_part() -> None:
    details = re.compile(r'<details class="card advanced"( open)?>')
    found = details.search(choose(koks="on", mars=None).content.decode())
    assert found
    assert found[1]
    found = details.search(choose(length="0").content.decode())
    assert found
    assert not found[1]


def test_variant_in_the_query_string_is_chosen() -> None:
    page = Client().get(ADDRESS, {"variant": "long"}).content.decode()
    assert re.search(r'value="long"[^>]* checked', page)
    assert Client().get(ADDRESS, {"variant": "chess"}).status_code == 200


def test_matches_of_one_browser_belong_to_one_guest() -> None:
    browser = Client()
    choose(browser)
    choose(browser)
    choose(Client())
    guests = list(Seat.objects.exclude(guest=None).values_list("guest", flat=True))
    assert len(guests) == 3
    assert len(set(guests)) == 2
    assert UUID(browser.session["guest"]) in guests


def test_form_without_csrf_token_is_refused() -> None:
    browser = Client(enforce_csrf_checks=True)
    assert choose(browser).status_code == 403
    assert not Match.objects.exists()


def test_running_matches_link_to_the_table_and_finished_ones_to_the_review() -> None:
    sitting = Sitting(Rules.of("short", length=3)).sit()
    browser = browser_of(sitting)
    table = reverse("games:match", args=[sitting.public_id])
    review = reverse("games:review", args=[sitting.public_id])
    assert f'href="{table}"' in browser.get(ADDRESS).content.decode()
    sitting.do("resign_match")
    page = browser.get(ADDRESS).content.decode()
    assert f'href="{table}"' not in page
    assert f'href="{review}"' in page


def test_running_match_is_listed_from_the_visitors_side() -> None:
    sitting = StakeSitting(player("white5"), player("black5"))
    for side, opponent in ((Side.WHITE, "black5"), (Side.BLACK, "white5")):
        browser = Client()
        browser.force_login(sitting.users[side])
        assert f"against {opponent}" in browser.get(ADDRESS).content.decode()


def test_other_players_matches_are_not_listed() -> None:
    sitting = Sitting(Rules.of("short"))
    for stranger in (Client(), browser_of(Sitting(Rules.of("short")))):
        assert sitting.public_id not in stranger.get(ADDRESS).content.decode()


def test_list_has_a_constant_number_of_queries() -> None:
    sitting = Sitting(Rules.of("short"))
    browser = browser_of(sitting)

    def queries_with(more: int) -> int:
        for number in range(2 * more):
            other = Sitting(Rules.of("long")).sit()
            if number % 2:
                other.do("resign_match")
            Seat.objects.filter(match=other.match).exclude(guest=None).update(guest=sitting.guest)
        with CaptureQueriesContext(connection) as captured:
            page = browser.get(ADDRESS).content.decode()
        listed = set(re.findall(r"/match/(\w+)/", page))
        assert len(listed) == Match.objects.count()
        return len(captured)

    few = queries_with(1)
    assert queries_with(2) == few


@pytest.mark.parametrize("side", list(Side))
def test_list_shows_the_score_from_the_players_side(side: Side) -> None:
    sitting = Sitting(Rules.of("short", length=5), side=side)
    match = sitting.match
    match.refresh_from_db()
    match.snapshot["score"] = [3, 1]
    match.save()
    own, other = (3, 1) if side is Side.WHITE else (1, 3)
    page = browser_of(sitting).get(ADDRESS).content.decode()
    assert f"{own} : {other}" in page


def test_members_match_opens_on_their_other_devices() -> None:
    owner = UserFactory(username="owner5")
    desk, phone = Client(), Client()
    for device in (desk, phone):
        device.force_login(owner)
    match = created(choose(desk))
    seat = match.seats.get(side="white")
    assert (seat.user, seat.guest) == (owner, None)
    assert phone.get(reverse("games:match", args=[match.public_id])).status_code == 200
    assert Client().get(reverse("games:match", args=[match.public_id])).status_code == 404
