"""Cases by the members in them."""

from django.db.models import QuerySet

from stats.models import Case, CasePerson


def cases_with(user_id: int) -> QuerySet[Case]:
    """Return the cases that a member is in; the member may not see them, staff or not."""
    return Case.objects.filter(pk__in=CasePerson.objects.filter(user=user_id).values("case"))


def decisions_against(user_id: int) -> QuerySet[Case]:
    """Return the cases in which staff decided that the member broke the rules, oldest first."""
    suspected = CasePerson.objects.filter(user=user_id, role=CasePerson.Role.SUSPECT)
    broken = Case.objects.filter(outcome=Case.Outcome.BROKEN, pk__in=suspected.values("case"))
    return broken.order_by("closed_at")
