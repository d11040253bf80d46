"""Entering, withdrawing, cancellation and extension; fees are returned exactly."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Origin, User
from accounts.sessions import origins
from accounts.shared.refusals import Refused
from accounts.signals import member_banned, member_closing
from games.models import Commitment, Strike
from games.stakes.escrow import FEE, NoCredits
from tests.accounts.factories import UserFactory
from tests.games.factories import StakeMatchFactory, give_history
from tests.tournaments.factories import IN, SECOND, announced, enter, members, plan, settle
from tests.wallet.factories import assert_books_balance, player
from tournaments.models import Entrant, TimelineEntry, Tournament
from tournaments.services import announcing, entering, purse, staff
from tournaments.services.starting import TOO_FEW
from tournaments.services.timeline import Ruling
from wallet import causes, statement
from wallet.models import Transfer
from wallet.selectors import funds_of
from wallet.services import welcome

pytestmark = pytest.mark.django_db
NOW = timezone.now()
State, Event = Tournament.State, TimelineEntry.Event


def reserved(*users) -> list[int]:
    return [funds_of(user.pk).reserved for user in users]


def test_entry_reserves_the_fee_and_is_noted() -> None:
    tournament, [user] = announced(NOW), members(1)
    entrant = entering.enter(tournament.public_id, user, NOW)
    assert entrant.state == Entrant.State.ENTERED
    assert reserved(user) == [100]
    assert Commitment.objects.get(user=user).starts_at == tournament.starts_at
    assert tournament.timeline.filter(event=Event.ENTERED, detail={"user": user.pk}).exists()


def test_statement_leads_from_fee_and_prize_to_the_tournament() -> None:
    tournament, [user] = announced(NOW), members(1)
    entering.enter(tournament.public_id, user, NOW)
    address = reverse("tournaments:tournament", args=[tournament.public_id])
    [line] = statement.reserved_of(user.account)
    assert line.url == address
    for cause in (FEE, purse.PRIZE, purse.REFUND):
        assert causes.describe(Transfer(cause=cause, reference=tournament.reference))[1] == address


def test_entering_twice_is_one_entry() -> None:
    tournament, [user] = announced(NOW), members(1)
    first = entering.enter(tournament.public_id, user, NOW)
    assert entering.enter(tournament.public_id, user, NOW) == first
    assert reserved(user) == [100]


def test_withdrawing_gives_the_fee_back_and_entering_again_reserves_it_again() -> None:
    tournament, [user] = announced(NOW), members(1)
    for _ in range(3):
        entering.enter(tournament.public_id, user, NOW)
        assert reserved(user) == [100]
        assert entering.withdraw(tournament.public_id, user, NOW)
        assert reserved(user) == [0]
    assert not entering.withdraw(tournament.public_id, user, NOW)
    assert Commitment.objects.count() == 0
    assert Entrant.objects.filter(state=Entrant.State.WITHDRAWN).count() == 3
    assert_books_balance()


def test_a_member_may_enter_several_tournaments_that_start_at_the_same_time() -> None:
    [user] = members(1)
    for _ in range(3):
        enter(announced(NOW), [user], NOW)
    assert reserved(user) == [300]
    assert Commitment.objects.filter(user=user).count() == 3


def test_entry_closes_at_the_start() -> None:
    tournament, [user, late] = announced(NOW), members(2)
    entering.enter(tournament.public_id, user, tournament.starts_at - SECOND)
    for service in (entering.enter, entering.withdraw):
        with pytest.raises(Refused, match="entry_closed"):
            service(tournament.public_id, late, tournament.starts_at)


def test_a_full_tournament_refuses_further_entrants() -> None:
    tournament, users = announced(NOW, min_entrants=2, max_entrants=2), members(3)
    enter(tournament, users[:2], NOW)
    with pytest.raises(Refused, match="full"):
        entering.enter(tournament.public_id, users[2], NOW)
    entering.withdraw(tournament.public_id, users[0], NOW)
    entering.enter(tournament.public_id, users[2], NOW)


def test_a_member_without_the_fee_is_refused_with_the_shortfall() -> None:
    tournament, [user] = announced(NOW), members(1, credits=60)
    with pytest.raises(NoCredits) as refusal:
        entering.enter(tournament.public_id, user, NOW)
    assert refusal.value.shortfall == 40
    assert not Entrant.objects.exists()


def test_a_newcomer_pays_no_higher_fee_than_they_may_stake() -> None:
    tournament, newcomer = announced(NOW), UserFactory(username="newcomer", member=True)
    welcome.give(newcomer.pk, NOW)
    with pytest.raises(Refused, match="stake_limit"):
        entering.enter(tournament.public_id, newcomer, NOW)
    assert reserved(newcomer) == [0]
    enter(announced(NOW, fee_credits=25), [newcomer], NOW)


def newcomers(count: int) -> list[User]:
    made = [UserFactory(username=f"newcomer{number}", member=True) for number in range(count)]
    for each in made:
        welcome.give(each.pk, NOW)
    return made


@pytest.mark.parametrize("terms", [{"fee_credits": 20}, {"fee_credits": 0, "prize_credits": 500}])
def test_two_newcomers_of_one_device_cannot_enter_one_tournament_with_a_prize(terms) -> None:
    main, second, stranger = newcomers(3)
    for user, device in ((main, "one"), (second, "one"), (stranger, "other")):
        origins.note(user.pk, Origin.Kind.DEVICE, device, NOW)
    tournament = announced(NOW, **terms)
    enter(tournament, [main, stranger], NOW)
    with pytest.raises(Refused, match="newcomers"):
        entering.enter(tournament.public_id, second, NOW)
    assert reserved(second) == [0]
    give_history(main)
    give_history(second)
    enter(tournament, [second], NOW)


def test_two_newcomers_of_one_device_may_enter_a_tournament_without_a_prize() -> None:
    both = newcomers(2)
    for user in both:
        origins.note(user.pk, Origin.Kind.DEVICE, "one", NOW)
    enter(announced(NOW, fee_credits=0), both, NOW)


def test_a_member_enters_a_tournament_only_a_few_times() -> None:
    tournament, [user] = announced(NOW), members(1)
    for _ in range(entering.MOST_TIMES):
        entering.enter(tournament.public_id, user, NOW)
        entering.withdraw(tournament.public_id, user, NOW)
    with pytest.raises(Refused, match="too_often"):
        entering.enter(tournament.public_id, user, NOW)
    assert Entrant.objects.count() == entering.MOST_TIMES
    assert reserved(user) == [0]


def test_a_suspended_member_is_refused() -> None:
    tournament, [user] = announced(NOW), members(1)
    for number in range(4):
        match = StakeMatchFactory(white=player(f"w{number}xx"), black=player(f"b{number}xx"))
        Strike.objects.create(
            user=user, match=match, kind=Strike.Kind.NO_START, created_at=NOW - SECOND
        )
    with pytest.raises(Refused, match="paused"):
        entering.enter(tournament.public_id, user, NOW)


def test_a_tournament_short_of_entrants_is_canceled_and_every_fee_comes_back() -> None:
    tournament, users = announced(NOW, min_entrants=4), members(3)
    enter(tournament, users, NOW)
    settle(tournament.starts_at)
    tournament.refresh_from_db()
    assert tournament.state == State.CANCELED
    assert reserved(*users) == [0, 0, 0]
    assert [funds_of(user.pk).total for user in users] == [1000] * 3
    assert tournament.timeline.get(event=Event.CANCELED).detail == {"cause": TOO_FEW, "entrants": 3}
    assert not Commitment.objects.exists()
    assert_books_balance()


def test_entry_is_extended_once_before_the_tournament_is_canceled() -> None:
    tournament, users = announced(NOW, extend_minutes=15), members(3)
    enter(tournament, users, NOW)
    first = tournament.starts_at
    settle(first)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.starts_at) == (
        State.ANNOUNCED, first + timedelta(minutes=15),
    )  # fmt: skip
    assert Commitment.objects.filter(starts_at=tournament.starts_at).count() == 3
    settle(tournament.starts_at)
    tournament.refresh_from_db()
    assert tournament.state == State.CANCELED


def test_an_extended_tournament_starts_with_enough_entrants() -> None:
    tournament, users = announced(NOW, extend_minutes=15), members(4)
    enter(tournament, users[:3], NOW)
    settle(tournament.starts_at)
    enter(tournament, users[3:], NOW + IN)
    settle(NOW + IN + timedelta(minutes=15))
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING


def test_nothing_happens_before_the_start() -> None:
    tournament = announced(NOW)
    settle(tournament.starts_at - SECOND)
    tournament.refresh_from_db()
    assert tournament.state == State.ANNOUNCED


def test_a_banned_member_is_withdrawn() -> None:
    tournament, [user, other] = announced(NOW), members(2)
    enter(tournament, [user, other], NOW)
    member_banned.send(None, user_id=user.pk)
    assert reserved(user, other) == [0, 100]
    assert Entrant.objects.get(user=user).state == Entrant.State.WITHDRAWN


def test_a_member_who_closes_the_account_is_withdrawn() -> None:
    tournament, [user] = announced(NOW, fee_credits=0), members(1)
    enter(tournament, [user], NOW)
    member_closing.send(None, user_id=user.pk)
    assert Entrant.objects.get(user=user).state == Entrant.State.WITHDRAWN


def test_an_account_cannot_be_closed_during_its_tournament() -> None:
    tournament, users = announced(NOW, min_entrants=2, fee_credits=0), members(2)
    enter(tournament, users, NOW)
    settle(tournament.starts_at)
    with pytest.raises(Refused, match="playing"):
        member_closing.send(None, user_id=users[0].pk)


def test_a_tournament_whose_secret_cannot_be_unsealed_is_canceled(settings) -> None:
    tournament, users = announced(NOW, min_entrants=2), members(2)
    enter(tournament, users, NOW)
    Tournament.objects.filter(pk=tournament.pk).update(sealed_secret=b"sealed by a lost key")
    settings.DICE_SEAL_KEYS_READ_AT = tournament.created_at
    settle(tournament.starts_at)
    tournament.refresh_from_db()
    assert tournament.state != State.CANCELED  # another process may have the key
    settings.DICE_SEAL_KEYS_READ_AT = tournament.created_at + timedelta(seconds=1)
    settle(tournament.starts_at + timedelta(hours=1))
    tournament.refresh_from_db()
    assert tournament.state == State.CANCELED
    assert reserved(*users) == [0, 0]


@pytest.mark.parametrize(
    "fields",
    [
        {"min_entrants": 1},
        {"name": " "},
        {"prize_credits": 0},  # although there is a fee
        {"rules": {"delay_ms": None}},
        {"fee_credits": -1},
    ],
    ids=str,
)
def test_impossible_terms_are_refused(fields) -> None:
    with pytest.raises(Refused, match="terms"):
        announced(NOW, **fields)


class TestProposals:
    """Members propose tournaments without a fee; staff approve or reject them."""

    @pytest.fixture
    def proposed(self):
        [member] = members(1)
        free = plan(fee_credits=0)
        return announcing.propose(free, NOW + timedelta(hours=3), member, NOW), member, free

    def test_an_approved_proposal_is_announced(self, proposed) -> None:
        tournament, member, _ = proposed
        with pytest.raises(Refused, match="not_found"):
            entering.enter(tournament.public_id, member, NOW)
        assert announcing.approve(tournament.pk, Ruling("Welcome", member.pk), NOW)
        entering.enter(tournament.public_id, member, NOW)

    def test_a_rejected_proposal_cannot_be_approved(self, proposed) -> None:
        tournament, member, _ = proposed
        assert announcing.reject(tournament.pk, Ruling("No", member.pk), NOW)
        assert not announcing.approve(tournament.pk, Ruling("Yes", member.pk), NOW)

    def test_a_member_has_one_waiting_proposal_at_a_time(self, proposed) -> None:
        tournament, member, free = proposed
        with pytest.raises(Refused, match="too_many"):
            announcing.propose(free, NOW + timedelta(hours=3), member, NOW)
        assert not announcing.take_proposal_back(tournament.public_id, members(1)[0], NOW)
        assert announcing.take_proposal_back(tournament.public_id, member, NOW)
        assert not announcing.take_proposal_back(tournament.public_id, member, NOW)
        announcing.propose(free, NOW + timedelta(hours=3), member, NOW)

    def test_an_unanswered_proposal_blocks_no_other_after_its_start(self, proposed) -> None:
        _, member, free = proposed
        later = NOW + timedelta(hours=4)
        announcing.propose(free, later + timedelta(hours=3), member, later)

    def test_a_proposal_with_a_fee_is_refused(self, proposed) -> None:
        with pytest.raises(Refused, match="terms"):
            announcing.propose(plan(), NOW + timedelta(hours=3), proposed[1], NOW)


def test_postponing_a_tournament_moves_its_commitments() -> None:
    tournament, [user] = announced(NOW), members(1)
    enter(tournament, [user], NOW)
    later = tournament.starts_at + timedelta(hours=1)
    assert staff.postpone(tournament.pk, later, Ruling("Lights out", user.pk), NOW)
    assert Commitment.objects.get().starts_at == later
    noted = tournament.timeline.get(event=Event.POSTPONED)
    assert (noted.reason, noted.by) == ("Lights out", user)
