"""Messages, friendships, reports and requests to support of a demonstration."""

from datetime import datetime, timedelta
from uuid import uuid4

from accounts.models import User
from accounts.people import blocks, friends, notes
from accounts.shared.transactions import write_transaction
from chat.direct import services as direct
from chat.models import Message, PlayerReport, Report, Silence, Ticket
from chat.services import messages, moderation, player_reports
from chat.support import handling
from chat.support import services as support
from chat.support.services import Question
from config.demo.people import NEIGHBORS, STAFF_LOGIN, People

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

# Author, reader, hours ago, text. The readers report the messages of RUDE: the first author is
# silenced and appeals, the second report waits, the third author's appeal was refused.
SAID = (
    ("boris", "annika", 50, "Спасибо за игру! Реванш вечером?"),
    ("annika", "boris", 49, "Gladly, after eight. And no luck for you this time :)"),
    ("boris", "annika", 3, "Я здесь, позовите, когда будете готовы."),
    ("deniz", "annika", 26, "Merhaba! Uzun nardi de oynuyor musunuz?"),
    ("giorgi", "elena", 20, "Привет! Сыграем сегодня в длинные?"),
)
RUDE = (
    ("marta", "annika", 30, "You only win because the dice love you, cheater!"),
    ("hakan", "boris", 5, "Kaybedince hep böyle kaçarsın!"),
    ("arman", "boris", 90, "Вам просто везёт, играть вы не умеете!"),
)


def make(people: People, now: datetime) -> str:
    """Write the messages, unless one of NEIGHBORS has written some; return the line to print."""
    if Message.objects.filter(author__username__in=NEIGHBORS).exists():
        return ""
    with write_transaction():
        _befriend(people, now - 10 * DAY)
        for author, reader, hours, text in SAID:
            direct.send(people[author], people[reader], text, now - hours * HOUR)
        _report(people, now)
        _ask_support(people, now)
    return "Messages, reports and requests to support"


def _befriend(people: People, now: datetime) -> None:
    annika = people["annika"]
    for login in ("boris", "giorgi", "leyla"):
        friends.ask(annika.pk, people[login].pk, now)
        friends.accept(people[login].pk, annika.pk, now)
    friends.ask(people["deniz"].pk, annika.pk, now)
    friends.ask(annika.pk, people["elena"].pk, now)
    notes.write(annika.pk, people["giorgi"].pk, "Doubles early. Take.", now)


def _report(people: People, now: datetime) -> None:
    """Report the messages of RUDE, silence two authors, who appeal, and report a player."""
    reports = []
    for author, reader, hours, text in RUDE:
        at = now - hours * HOUR
        written = direct.send(people[author], people[reader], text, at)
        assert written is not None
        messages.report(people[reader], written.pk, at)
        reports.append(Report.objects.get(message=written, reporter=people[reader]))
    _refuse_appeal(people, reports[2], now - 88 * HOUR)
    at = now - 28 * HOUR
    moderation.silence(reports[0], people[STAFF_LOGIN], 7 * DAY, at, "Insults in private messages")
    moderation.appeal(people["marta"].pk, "I was angry. It will not happen again.", at)
    blocks.block(people["annika"].pk, people["marta"].pk, at)
    cause = PlayerReport.Cause.HELP
    text = "Он ходит как компьютер, и всегда через одно и то же время."
    player_reports.report(people["elena"], people["arman"], cause, text, "", now - 9 * HOUR)


def _refuse_appeal(people: People, report: Report, at: datetime) -> None:
    moderation.silence(report, people[STAFF_LOGIN], DAY, at, "Insults in private messages")
    moderation.appeal(report.author.pk, "Это была шутка.", at + HOUR)
    silence = Silence.objects.get(user=report.author)
    moderation.uphold(silence, "Другой игрок счёл это оскорблением.", at + 2 * HOUR)


def _ask_support(people: People, now: datetime) -> None:
    topics = Ticket.Topic
    _ask(people["annika"], topics.IDEA, "en", "Could the lists remember my filter?", now - 6 * DAY)
    _ask("visitor@example.org", topics.ACCOUNT, "tr", "Parolamı unuttum, e-posta gelmiyor.", now)
    text = "Ставка не вернулась после обрыва связи."
    about_stake = _ask(people["boris"], topics.CREDITS, "ru", text, now - DAY)
    answer = "Матч признан недействительным, ставка возвращена. Спасибо, что написали."
    handling.answer(about_stake, people[STAFF_LOGIN], answer, uuid4(), now - DAY + HOUR)
    text = "Uzun tavlada bu el neden iki kat sayıldı?"
    about_mars = _ask(people["deniz"], topics.MATCH, "tr", text, now - 3 * DAY)
    answer = "Rakibiniz hiç pul toplayamadan el bitti: bu marstır ve iki kat sayılır."
    at = now - 3 * DAY + HOUR
    handling.answer(about_mars, people[STAFF_LOGIN], answer, uuid4(), at, closes=True)


def _ask(sender: User | str, topic: Ticket.Topic, language: str, text: str, at: datetime) -> Ticket:
    return support.ask(sender, Question(topic, text, language, uuid4()), at)
