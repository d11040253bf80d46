"""Each check of the records finds unusual records, and no usual ones."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Origin, User
from accounts.sessions import origins
from games.models import Match
from stats.integrity import checks, credit_flows, resigning, strength, timing, together
from stats.integrity.findings import Finding
from tests.stats.integrity.suspects import (
    give_up,
    lose,
    paired,
    resign_games,
    reviewed,
    share,
    timed,
)
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
DEVICE, NETWORK = Origin.Kind.DEVICE, Origin.Kind.NETWORK


@pytest.fixture
def anna() -> User:
    return player("anna55")


@pytest.fixture
def boris() -> User:
    return player("boris5")


def only(findings: list[Finding]) -> Finding:
    (finding,) = findings
    return finding


def test_device_shared_by_members_who_played_for_credits_is_striking(anna, boris):
    share(DEVICE, anna, boris)
    assert together.striking(timezone.now()) == []
    paired(anna, boris)
    finding = only(together.striking(timezone.now()))
    assert finding.people == tuple(sorted((anna.pk, boris.pk)))
    assert (finding.figures["device"], finding.figures["network"]) == (True, False)
    assert finding.figures["played"] == 1
    assert len(finding.figures["matches"]) == 1


def test_one_network_alone_is_not_striking(anna, boris):
    share(NETWORK, anna, boris)
    paired(anna, boris)
    now = timezone.now()
    assert together.striking(now) == []
    finding = only(together.about([anna.pk, boris.pk], now))
    assert (finding.figures["network"], finding.is_striking) == (True, False)


def test_device_shared_a_month_ago_or_by_many_members_is_not_striking(anna, boris):
    share(DEVICE, anna, boris, now=timezone.now() - timedelta(days=31))
    paired(anna, boris)
    assert together.striking(timezone.now()) == []
    crowd = [player(f"crowd{number}") for number in range(together.MOST_ON_A_DEVICE)]
    share(DEVICE, anna, boris, *crowd)
    assert together.striking(timezone.now()) == []


def test_only_a_device_of_few_members_is_striking_in_a_case_opened_by_hand(anna, boris):
    paired(anna, boris)
    crowd = [player(f"crowd{number}") for number in range(together.MOST_ON_A_DEVICE)]
    share(DEVICE, anna, boris, *crowd)
    now = timezone.now()
    finding = only(together.about([anna.pk, boris.pk], now))
    assert (finding.figures["device"], finding.is_striking) == (True, False)
    for user in (anna, boris):
        origins.note(user.pk, DEVICE, "their own", now)
    assert only(together.about([anna.pk, boris.pk], now)).is_striking


def test_a_case_reads_the_devices_of_its_members_only(anna, boris):
    others = [player("other5"), player("third5")]
    now = timezone.now()
    for user in others:
        origins.note(user.pk, DEVICE, "of the others", now)
    share(DEVICE, anna, boris, others[0])
    ids = [anna.pk, boris.pk]
    assert origins.groups(now, DEVICE, ids) == [{anna.pk, boris.pk, others[0].pk}]
    assert len(origins.groups(now, DEVICE)) == 2


def test_flow_of_credits_names_the_gainer_before_the_payer(anna, boris):
    lose(anna, boris, times=4)
    lose(boris, anna)
    finding = only(credit_flows.about([anna.pk, boris.pk], timezone.now()))
    assert finding.people == (boris.pk, anna.pk)
    assert finding.figures["credits"] == 4 * 90 - 100
    assert (finding.figures["won"], finding.figures["won_percent"]) == (4, 80)
    assert not finding.is_striking
    assert credit_flows.striking(timezone.now()) == []


def test_flow_above_the_threshold_is_striking(anna, boris):
    lose(anna, boris, times=4)
    finding = only(credit_flows.striking(timezone.now()))
    assert finding.is_striking
    assert only(credit_flows.about([anna.pk, boris.pk], timezone.now())) == finding


def test_giving_up_early_to_one_opponent_is_striking(anna, boris):
    give_up(anna, boris, resigning.LEAST_EARLY)
    finding = only(resigning.striking(timezone.now()))
    assert finding.people == (anna.pk, boris.pk)
    assert (finding.figures["lost"], finding.figures["early"]) == (3, 3)


@pytest.mark.parametrize("length", [1, 3])
def test_resigning_the_last_game_early_is_striking_like_giving_up_the_match(anna, boris, length):
    resign_games(anna, boris, resigning.LEAST_EARLY, length)
    finding = only(resigning.striking(timezone.now()))
    assert finding.people == (anna.pk, boris.pk)
    figures = finding.figures
    assert (figures["lost"], figures["given_up"], figures["early"]) == (3, 3, 3)


def test_matches_that_end_otherwise_after_a_resigned_game_are_not_given_up(anna, boris):
    resign_games(anna, boris, 3)
    Match.objects.update(outcome="flag")
    finding = only(resigning.about([anna.pk, boris.pk], timezone.now()))
    assert (finding.figures["lost"], finding.figures["given_up"]) == (3, 0)


def test_giving_up_late_or_only_sometimes_is_not_striking(anna, boris):
    give_up(anna, boris, 5, rolls=resigning.EARLY_ROLLS + 1)
    give_up(anna, boris, 3)
    assert resigning.striking(timezone.now()) == []
    finding = only(resigning.about([anna.pk, boris.pk], timezone.now()))
    assert (finding.figures["lost"], finding.figures["given_up"], finding.figures["early"]) == (
        8, 8, 3,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("stake", "other", "decisions", "is_striking"),
    [
        (4.0, 10.0, 200, True),
        (6.0, 10.0, 200, False),
        (1.0, 4.0, 200, False),
        (4.0, 10.0, 99, False),
    ],
)
def test_error_rate_much_lower_for_credits_than_otherwise_is_striking(
    anna, boris, stake, other, decisions, is_striking
):
    reviewed(anna, boris, stake, decisions, is_staked=True)
    reviewed(anna, boris, other, decisions, is_staked=False)
    finding = only(strength.about([anna.pk], timezone.now()))
    assert (finding.figures["stake_rate"], finding.figures["other_rate"]) == (stake, other)
    assert finding.is_striking == is_striking
    assert strength.striking(timezone.now()) == ([finding] if is_striking else [])


@pytest.mark.parametrize(
    ("times_ms", "is_striking"),
    [([3000, 3100] * 8, True), ([400, 1900, 300] * 5, True), ([1200, 9000, 3000] * 5, False)],
)
def test_plays_too_regular_or_too_quick_are_striking(anna, boris, times_ms, is_striking):
    for _ in range(timing.LEAST_MATCHES):
        timed(anna, boris, times_ms)
    now = timezone.now()
    finding = only(timing.about([anna.pk, boris.pk], now))
    assert finding.figures["plays"] == timing.LEAST_MATCHES * len(times_ms)
    assert finding.is_striking == is_striking
    assert timing.striking(now) == ([finding] if is_striking else [])


def test_times_of_few_matches_are_not_striking(anna, boris):
    for _ in range(timing.LEAST_MATCHES - 1):
        timed(anna, boris, [3000] * 30)
    assert not only(timing.about([anna.pk], timezone.now())).is_striking
    assert timing.striking(timezone.now()) == []


def test_findings_about_the_same_people_make_one_suspicion(anna, boris):
    share(DEVICE, anna, boris)
    give_up(anna, boris, 3)
    (suspicion,) = checks.suspicions(timezone.now())
    assert suspicion.people == {anna.pk, boris.pk}
    assert set(suspicion.kinds) == {"TOGETHER", "RESIGNING"}


def test_honest_matches_raise_no_suspicion(anna, boris):
    lose(anna, boris)
    paired(anna, boris)
    paired(boris, anna)
    assert checks.suspicions(timezone.now()) == []
