"""The case file of a match: each role sees its parts, and the number of queries is constant."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Origin
from accounts.sessions import origins
from chat.models import Message, PlayerReport, Report
from config.staff.case_file import case_file_of
from config.staff.roles import DIRECTOR, FINANCE, MODERATOR, ROLES, SUPPORT, TRANSLATOR
from config.staff.steps import ENDS, VERBS
from games.engine.match.actions import KINDS
from games.engine.match.state import GameCause, MatchCause
from games.engine.sides import Side
from games.models import Match
from games.services import chat
from games.services.dice import unseal
from tests.accounts.factories import member, staff
from tests.chat.factories import MessageFactory
from tests.chat.support.factories import asked
from tests.config.staff.clerks import clerk_of
from tests.games.factories import StakeSitting
from tests.wallet.factories import player
from wallet.models import Transfer

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

# A text that the page has for each part, and the roles that see it.
PARTS = {
    "Every action": (SUPPORT, MODERATOR, DIRECTOR, FINANCE),
    "Both on the same device in the last 30 days": (SUPPORT, MODERATOR, DIRECTOR, FINANCE),
    "Credits of the match": (SUPPORT, FINANCE),
    "/reverse/": (FINANCE,),
    "Chats of the match": (MODERATOR,),
    "hidden word": (MODERATOR,),
    "/admin/chat/playerreport/": (SUPPORT, MODERATOR),
    'value="void"': (MODERATOR,),
}


@pytest.fixture
def sitting() -> StakeSitting:
    return StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game()


@pytest.fixture
def match(sitting: StakeSitting) -> Match:
    """Return a running match with a hidden message, a report and a request."""
    sitting.both_move()
    white, black = (sitting.users[side] for side in Side)
    now = timezone.now()
    MessageFactory(author=white, room=chat.room(sitting.public_id, Side.WHITE), body="hidden word")
    Message.objects.update(hidden_at=now)
    PlayerReport.objects.create(
        about=white, reporter=black, cause="CONDUCT", room=f"match:{sitting.public_id}",
        created_at=now,
    )  # fmt: skip
    asked(black, "Please look.", room=f"match:{sitting.public_id}")
    return sitting.match


def page_for(role: str, match: Match) -> tuple[int, str]:
    _clerk, browser = clerk_of(role)
    answer = browser.get(reverse("admin:case_file", args=[match.pk]))
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize("role", ROLES)
def test_each_role_sees_its_parts_of_the_case_file(role: str, match: Match) -> None:
    status, page = page_for(role, match)
    assert status == (403 if role == TRANSLATOR else 200)
    assert {part for part in PARTS if part in page} == {
        part for part, roles in PARTS.items() if role in roles
    }


def test_page_shows_rolls_times_commitment_and_no_secret_while_the_match_runs(
    client: Client, match: Match, sitting: StakeSitting
) -> None:
    client.force_login(staff("boss55"))
    address = reverse("admin:case_file", args=[match.pk])
    page = client.get(address).content.decode()
    secret = unseal(match.sealed_secret).hex()
    roll = match.actions.filter(verb="roll").first()
    assert roll is not None
    assert match.commitment in page
    assert secret not in page
    assert f"{roll.data['d1']} {roll.data['d2']}" in page
    assert roll.created_at.strftime("%H:%M:%S.%f")[:-3] in page
    sitting.do("resign_match", side=Side.BLACK)
    page = client.get(address).content.decode()
    assert secret in page
    assert "Resigned the match" in page
    assert 'value="void"' not in page


def test_case_file_shows_a_shared_device_but_no_hashes(client: Client, match: Match) -> None:
    client.force_login(staff("boss55"))
    address = reverse("admin:case_file", args=[match.pk])
    assert client.get(address).context["case"].shared.device is False
    for seat in match.seats.all():
        assert seat.user_id is not None
        origins.note(seat.user_id, Origin.Kind.DEVICE, "one browser", timezone.now())
    answer = client.get(address)
    assert answer.context["case"].shared.device is True
    assert answer.context["case"].shared.network is False
    assert Origin.objects.values_list("digest", flat=True)[0] not in answer.content.decode()


def test_decision_and_its_reason_are_in_the_case_file(client: Client, match: Match) -> None:
    client.force_login(staff("boss55"))
    form = {"action": "void", "_selected_action": [match.pk], "reason": "The dice were stuck."}
    client.post(reverse("admin:games_match_changelist"), {**form, "confirmed": "yes"})
    page = client.get(reverse("admin:case_file", args=[match.pk])).content.decode()
    assert "<strong>boss55</strong>" in page
    assert "Voided: The dice were stuck." in page
    assert "Our team called this match off." in page


def test_number_of_queries_does_not_grow_with_the_file(match: Match, sitting: StakeSitting) -> None:
    boss = staff("boss55")

    def count() -> int:
        fresh = Match.objects.prefetch_related("seats__user").get(pk=match.pk)
        case_file_of(fresh, boss, timezone.now())
        with CaptureQueriesContext(connection) as queries:
            case_file_of(fresh, boss, timezone.now())
        return len(queries)

    few = count()
    now = timezone.now()
    for number in range(4):
        author = member(f"author{number}")
        message = MessageFactory(author=author, room=chat.room(match.public_id, None))
        Report.objects.create(message=message, reporter=member(f"hurt{number}"), created_at=now)
        asked(author, "Again", room=f"match:{match.public_id}", now=now + timedelta(minutes=number))
        Transfer.objects.create(
            key=f"more:{number}",
            cause="stake",
            reference=f"match:{match.public_id}",
            created_at=now,
        )
    sitting.both_move().both_move()
    assert count() == few


def test_links_of_rooms_and_match_lead_to_the_case_file(client: Client, match: Match) -> None:
    address = reverse("admin:case_file", args=[match.pk])
    room = f"match:{match.public_id}"
    assert chat.staff_links([room, "match:unknown"]) == {room: address}
    client.force_login(staff("boss55"))
    page = client.get(reverse("admin:games_match_change", args=[match.pk])).content.decode()
    assert f'href="{address}"' in page
    assert client.get(reverse("admin:case_file", args=[0])).status_code == 404


def test_every_action_and_end_has_its_words() -> None:
    assert VERBS.keys() == KINDS.keys()
    assert ENDS.keys() == {*GameCause} | {*MatchCause}
