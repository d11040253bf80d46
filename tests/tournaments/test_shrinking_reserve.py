"""A tournament whose reserves shrink by the points scored, from the form to the export."""

from datetime import timedelta

import jsonschema
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.engine.formats.json_export import checked_state, from_export
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.exports.match_file import export_of
from games.models import Match
from games.rulebook.summary import describe
from tests.accounts.factories import UserFactory
from tests.games.factories import assert_log_folds
from tests.games.frames import SCHEMA
from tests.tournaments.factories import Table, TournamentRun, members, plan
from tests.tournaments.test_admin import TERMS
from tests.tournaments.test_proposals import sent
from tournaments.models import Schedule, Tournament
from tournaments.services.tables import decider_of

pytestmark = pytest.mark.django_db
SHRINKING = {"length": 5, "reserve_shrinks": True}


def signed_in(**fields) -> Client:
    client = Client()
    client.force_login(UserFactory(**fields) if fields else members(1)[0])
    return client


def table_after_a_mars() -> Table:
    """Return the first table after a resigned mars: 2-0 in a match to 5."""
    [table, *_] = TournamentRun(2, rules=SHRINKING).start().tables()
    table.sit().start_game().play_until(Phase.TO_ROLL, Phase.TO_PLAY)
    loser = table.state.turn
    table.do("resign", side=loser, factor=2)
    table.do("accept", side=loser.other)
    return table


def test_the_table_has_less_reserve_after_a_game_and_the_log_folds() -> None:
    table = table_after_a_mars()
    assert sum(table.state.score) == 2
    assert table.state.clock.reserve_ms == (240_000, 240_000)
    match = Match.objects.get(pk=table.match.pk)
    assert match.snapshot["rules"]["reserve_shrinks"] is True
    assert_log_folds(match)
    for side in Side:
        table.do("next", side=side)
    table.play_until(Phase.TO_ROLL, Phase.TO_PLAY)
    assert max(table.state.clock.reserve_ms) == 240_000


def test_the_export_has_the_rule_and_reads_back_to_the_same_state() -> None:
    table = table_after_a_mars()
    table.do("resign_match", side=Side.BLACK)
    match = Match.objects.get(pk=table.match.pk)
    export = from_export(export_of(match))
    assert export.rules.reserve_shrinks
    assert checked_state(export) == match.state


def test_the_rules_of_a_frame_fit_the_schema_with_and_without_the_shrinking_reserve() -> None:
    rules = SCHEMA["$defs"]["rules"]
    for given in (SHRINKING, {"length": 5}):
        jsonschema.validate(plan(rules=given).rules.to_dict(), rules)
    assert "reserve_shrinks" not in rules["required"]


def test_the_deciding_game_of_a_drawn_match_has_the_usual_reserve() -> None:
    drawn = Rules.of("short", delay_ms=20_000, parity=True, **SHRINKING)
    decider = decider_of(drawn)
    assert (decider.reserve_shrinks, decider.reserve_ms) == (False, 120_000)


def test_staff_announce_a_shrinking_reserve_and_keep_it_in_a_schedule() -> None:
    staff = signed_in(username="staff", staff=True)
    terms = {**TERMS, "reserve_shrinks": "on"}
    when = {"starts_at_0": "2099-01-01", "starts_at_1": "12:00"}
    staff.post(reverse("admin:tournaments_tournament_add"), {**terms, **when})
    assert Tournament.objects.get().match_rules.reserve_shrinks
    repeats = {
        "repeats": "DAILY", "local_time": "20:00", "time_zone": "Europe/Moscow",
        "announce_before": "24",
    }  # fmt: skip
    staff.post(reverse("admin:tournaments_schedule_add"), {**terms, **repeats})
    made = Schedule.objects.get()
    assert made.match_rules.reserve_shrinks
    page = staff.get(reverse("admin:tournaments_schedule_change", args=[made.pk]))
    assert page.context["adminform"].form.initial["reserve_shrinks"] is True


def test_a_member_proposes_a_shrinking_reserve_and_the_page_explains_it() -> None:
    member = signed_in()
    assert sent(member, reserve_shrinks="on", length="5").status_code == 302
    made = Tournament.objects.get()
    assert made.match_rules.reserve_shrinks
    soon = timezone.now() + timedelta(hours=1)
    Tournament.objects.update(state="ANNOUNCED", starts_at=soon)
    page = member.get(reverse("tournaments:tournament", args=[made.public_id])).content.decode()
    assert "lowers the limit for both by 30 seconds" in page


def test_a_shrinking_reserve_is_refused_at_its_field_in_a_match_to_two_points() -> None:
    answer = sent(signed_in(), reserve_shrinks="on", length="2")
    assert answer.status_code == 422
    assert "the reserve cannot shrink" in answer.content.decode()
    assert answer.context["form"].errors.keys() == {"reserve_shrinks"}
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("shrinks", [True, False])
def test_the_rules_in_words_mention_a_shrinking_reserve_only_if_it_is_on(shrinks: bool) -> None:
    rules = Rules.of("long", length=7, delay_ms=20_000, reserve_shrinks=shrinks)
    assert ("Reserve" in {line.name for line in describe(rules)}) is shrinks
