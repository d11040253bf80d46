"""Rows that wait for a decision of staff."""

from datetime import timedelta

from django.utils import timezone

from chat.models import Report, Silence
from games.models import Match, Strike
from stats.integrity import services
from stats.models import Case, CasePerson
from tests.accounts.factories import member
from tests.chat.factories import MessageFactory
from tests.games.factories import StakeMatchFactory, StakeSitting
from tests.wallet.factories import player


def running_match() -> Match:
    return StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game().match


def open_report() -> Report:
    message = MessageFactory(author=member("rude55"))
    reporter = member("hurt55")
    return Report.objects.create(message=message, reporter=reporter, created_at=timezone.now())


def open_appeal() -> Silence:
    report, now = open_report(), timezone.now()
    return Silence.objects.create(
        report=report, user=report.author, by=member("other5"), created_at=now,
        until=now + timedelta(days=1), appeal="Please.", appealed_at=now,
    )  # fmt: skip


def standing_strike() -> Strike:
    late, now = player("late55"), timezone.now()
    match = StakeMatchFactory(white=late, black=player("rival5"))
    kind = Strike.Kind.choices[0][0]
    return Strike.objects.create(user=late, match=match, kind=kind, created_at=now)


def open_case() -> Case:
    suspect, victim = member("rude55"), player("hurt55")
    return services.open_case([suspect.pk], [victim.pk], "A report", None, timezone.now())


def harmed() -> CasePerson:
    return open_case().people.get(role=CasePerson.Role.VICTIM)


def suspected() -> CasePerson:
    return open_case().people.get(role=CasePerson.Role.SUSPECT)
