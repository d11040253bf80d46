"""Count all unread items of a member by one query, since each of their pages needs the count."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, IntegerField, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from accounts.models import User
from chat.direct.selectors import unread_conversations
from chat.models import Ticket


@dataclass(frozen=True, slots=True)
class Unread:
    """Numbers of unread messages of other members, and of requests with an unread answer."""

    messages: int = 0
    answers: int = 0


def unread_of(user_id: int) -> Unread:
    messages = unread_conversations(user_id).values("owner").annotate(number=Sum("unread"))
    waiting = Ticket.objects.filter(user=user_id, has_unread_answer=True).order_by()
    answers = waiting.values("user").annotate(number=Count("pk"))
    row = User.objects.filter(pk=user_id).values_list(_number(messages), _number(answers)).first()
    return Unread(*row) if row else Unread()


def _number(counted: QuerySet[Any]) -> Coalesce:
    return Coalesce(Subquery(counted.values("number"), output_field=IntegerField()), 0)
