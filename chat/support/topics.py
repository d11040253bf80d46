"""The topics on the first page of support. A topic with usual questions has a page for them."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from chat.models import Ticket


@dataclass(frozen=True, slots=True)
class TopicPage:
    """A topic; `slug` is part of URLs and names the template of the questions."""

    topic: Ticket.Topic
    icon: str
    about: Any
    has_questions: bool = True

    @property
    def slug(self) -> str:
        return self.topic.value.lower()

    @property
    def title(self) -> str:
        return str(self.topic.label)


TOPICS = [
    TopicPage(Ticket.Topic.CREDITS, "coins", _("Missing credits, a payment, a gift")),
    TopicPage(Ticket.Topic.MATCH, "dices", _("It is stuck, was lost or counted wrongly")),
    TopicPage(Ticket.Topic.PLAYER, "user-round-x", _("Rude words, foul play, an unwanted picture")),
    TopicPage(Ticket.Topic.ACCOUNT, "key-round", _("Password, email, a closed account")),
    TopicPage(Ticket.Topic.BUG, "bug", _("A page, a button, the board, the sound")),
    TopicPage(Ticket.Topic.IDEA, "lightbulb", _("What would make the site better"), False),
    TopicPage(Ticket.Topic.OTHER, "message-circle-question-mark", _("Anything else"), False),
]


def find_topic(slug: str) -> TopicPage | None:
    return next((each for each in TOPICS if each.slug == slug), None)
