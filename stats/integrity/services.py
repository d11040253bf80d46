"""Open, extend, close and forget cases; refund and ban the people in them.

Lock order: the case, then the wallet's accounts. The framework of staff actions writes the log.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from django.db import IntegrityError
from django.db.models import Q

from accounts.mail import member_emails
from accounts.members import services as members
from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from stats.integrity import checks
from stats.integrity.checks import Suspicion
from stats.integrity.findings import Finding, since
from stats.models import Case, CasePerson, Evidence
from wallet.services import accounts, corrections

Role = CasePerson.Role
MOST_PEOPLE = 10  # in a case, since each pair of them is compared


def open_case(
    suspect_ids: Collection[int],
    victim_ids: Collection[int],
    why: str,
    by: User | None,
    now: datetime,
) -> Case:
    """Open a case with the evidence of this moment.

    Raises Refused: `nobody`, `too_many`, `both` for somebody in both roles, `open` if these
    suspects have an open case.
    """
    suspects, victims = set(suspect_ids), set(victim_ids)
    need_fit(suspects, victims)
    found = checks.about(suspects | victims, now)
    try:
        with write_transaction():
            case = Case.objects.create(
                subject=subject_of(suspects), why=why, opened_at=now, opened_by=by
            )
            CasePerson.objects.bulk_create(
                CasePerson(case=case, user_id=user_id, role=role)
                for role, ids in ((Role.SUSPECT, suspects), (Role.VICTIM, victims))
                for user_id in sorted(ids)
            )
            _keep(case, found, now)
    except IntegrityError as error:
        raise Refused("open") from error
    return case


def need_fit(suspect_ids: Collection[int], victim_ids: Collection[int]) -> None:
    """Raise Refused, as `open_case` does, for people about whom no case can be opened."""
    if not suspect_ids:
        raise Refused("nobody")
    if set(suspect_ids) & set(victim_ids):
        raise Refused("both")
    if len({*suspect_ids, *victim_ids}) > MOST_PEOPLE:
        raise Refused("too_many")
    if Case.objects.filter(subject=subject_of(suspect_ids), closed_at__isnull=True).exists():
        raise Refused("open")


def open_suspicious(now: datetime) -> list[Case]:
    """Open a case for each new suspicion; return the cases."""
    opened = []
    for each in new_suspicions(now):
        with suppress(Refused):  # staff opened it at the same moment
            opened.append(open_case(each.people, (), "", None, now))
    return opened


def new_suspicions(now: datetime) -> list[Suspicion]:
    """Return the suspicions about which no case is open and none has judged the records.

    Suspicions about accounts that are all banned or closed are left out.
    """
    return [each for each in checks.suspicions(now) if _is_new(each, now)]


def _is_new(suspicion: Suspicion, now: datetime) -> bool:
    known = Case.objects.filter(subject=subject_of(suspicion.people))
    judged = Q(closed_at__gt=since(now, suspicion.days))
    if known.filter(Q(closed_at__isnull=True) | judged).exists():
        return False
    return User.objects.filter(pk__in=suspicion.people, is_active=True).exists()


def take_again(case: Case, now: datetime) -> bool:
    """Add the evidence of this moment to that of a case; return False if the case is closed."""
    found = checks.about(case.people.values_list("user_id", flat=True), now)
    with write_transaction():
        locked = _lock(case)
        if locked.closed_at is not None:
            return False
        _keep(locked, found, now)
        return True


def add_victim(case: Case, user_id: int, now: datetime) -> bool:
    """Add a harmed member; return False if the case is closed or they are in it already.

    Raises Refused: `too_many`.
    """
    with write_transaction():
        locked = _lock(case)
        if locked.closed_at is not None or locked.people.filter(user_id=user_id).exists():
            return False
        if locked.people.count() >= MOST_PEOPLE:
            raise Refused("too_many")
        CasePerson.objects.create(case=locked, user_id=user_id, role=Role.VICTIM)
        return True


def close(case: Case, outcome: str, reason: str, by: User, now: datetime) -> bool:
    """Close an open case; if the rules were broken, email the suspects why and how to appeal."""
    with write_transaction():
        still_open = Case.objects.filter(pk=case.pk, closed_at__isnull=True)
        done = still_open.update(closed_at=now, closed_by=by, outcome=outcome, reason=reason)
        if done and outcome == Case.Outcome.BROKEN:
            for person in case.people.filter(role=Role.SUSPECT, user__closed_at__isnull=True):
                member_emails.write(person.user_id, "case_closed", {"reason": reason})
        return bool(done)


def reopen(case: Case) -> bool:
    """Open a closed case again. Raises Refused: `open` if its suspects have an open case."""
    closed = Case.objects.filter(pk=case.pk, closed_at__isnull=False)
    try:
        with write_transaction():
            return bool(closed.update(closed_at=None, closed_by=None, outcome="", reason=""))
    except IntegrityError as error:
        raise Refused("open") from error


def refund(person: CasePerson, credits: int, reason: str, by: User, now: datetime) -> bool:
    """Give a harmed member credits from the house; return False if that is not possible.

    They get one refund in a case, or another after that one was reversed. The member reads the
    reason in the statement. Raises as `corrections.correct` does.
    """
    with write_transaction():
        _lock(person.case)
        row = CasePerson.objects.select_related("user").get(pk=person.pk)
        # Nobody could spend the credits of a closed account.
        if row.has_refund or row.role != Role.VICTIM or row.user.closed_at:
            return False
        account = accounts.of_user(row.user_id)
        key = f"case:{row.case_id}:{row.user_id}"
        if row.refund_id is not None:
            key += f":{row.refund_id}"  # since the reversed refund has the key without it
        row.refund = corrections.correct(key, account.pk, credits, reason, by.pk, now)
        row.save(update_fields=["refund"])
        return True


def ban(person: CasePerson, now: datetime) -> bool:
    """Ban a suspect and note it in the case; return False if that is not possible."""
    with write_transaction():
        suspects = CasePerson.objects.filter(pk=person.pk, role=Role.SUSPECT)
        if not suspects.exists() or not members.ban(person.user_id):
            return False
        suspects.update(banned_at=now)
        return True


def forget(before: datetime) -> int:
    """Delete cases closed before a time, with their evidence; return their number."""
    with write_transaction():
        # Locked, since staff may be reopening a case, or refunding somebody in it.
        old = Case.objects.filter(closed_at__lt=before).select_for_update().order_by("pk")
        ids = list(old.values_list("pk", flat=True))
        return dict(Case.objects.filter(pk__in=ids).delete()[1]).get("stats.Case", 0)


def subject_of(suspect_ids: Collection[int]) -> str:
    return "-".join(map(str, sorted(suspect_ids)))


def _lock(case: Case) -> Case:
    return Case.objects.select_for_update(no_key=True).get(pk=case.pk)


def _keep(case: Case, found: Collection[Finding], now: datetime) -> None:
    Evidence.objects.bulk_create(
        Evidence(
            case=case,
            kind=each.kind,
            taken_at=now,
            people=each.people,
            figures=each.figures,
            is_striking=each.is_striking,
        )
        for each in found
    )
