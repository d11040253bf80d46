"""Write the texts of notices, in the member's language and zone, without names and stakes."""

from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.utils.translation import gettext, override

from accounts.models import Notice, NoticeKind
from accounts.times.texts import text_of
from accounts.times.zones import written_for


def payload(notice: Notice) -> dict[str, Any]:
    """Return the message that `templates/service_worker.js` shows; pressing it opens `path`."""
    preferences = notice.user.preferences
    language = preferences.language or settings.LANGUAGE_CODE
    with ExitStack() as stack:
        stack.enter_context(override(language))
        stack.enter_context(written_for(preferences))
        title, body = words(notice)
    return {
        "kind": notice.kind,
        "tag": notice.public_id,
        "path": notice.path,
        "title": title,
        "body": body,
        "lang": language,
    }


def words(notice: Notice, *, names_offset: bool = False) -> tuple[str, str]:
    """Return title and text in the active language.

    `names_offset`: always name the UTC offset, for texts that may be read in another time zone.
    """
    match notice.kind:
        case NoticeKind.JOINED:
            return (
                gettext("Somebody has joined your game"),
                gettext("Your table is open and your opponent is waiting."),
            )
        case NoticeKind.CHALLENGE:
            return (
                gettext("You have been challenged"),
                gettext("See the terms, then accept or decline."),
            )
        case NoticeKind.YOUR_TURN:
            return (gettext("It is your turn"), gettext("Your clock is running."))
        case NoticeKind.WISHED_GAME:
            return (
                gettext("A game you asked for has appeared"),
                gettext("See the terms and join before somebody else does."),
            )
        case NoticeKind.TOURNAMENT_SOON:
            text = gettext("Be on the site at %(time)s: your table opens automatically.")
            at = notice.happens_at or notice.expires_at
            values = {"time": text_of(at, "time", names_offset)}
            return gettext("Your tournament starts soon"), text % values
        case NoticeKind.TABLE_OPEN:
            text = gettext("Be at the table by %(time)s, or you forfeit the match.")
            at = notice.happens_at or notice.expires_at
            values = {"time": text_of(at, "time", names_offset)}
            return gettext("Your tournament table is open"), text % values
        case NoticeKind.TOURNAMENT_NEWS:
            return _tournament_news(notice, names_offset)
        case NoticeKind.MESSAGE:
            return (gettext("You have a new message"), gettext("Open it to read and answer."))
        case NoticeKind.GIFT:
            return (gettext("Your gift is ready"), gettext("Open the site to take it."))
    raise ValueError(f"no words for {notice.kind}")


def _tournament_news(notice: Notice, names_offset: bool) -> tuple[str, str]:
    if notice.happens_at is None:
        text = gettext("Any entry fee was returned. Open the page to see why.")
        return gettext("Your tournament was canceled"), text
    text = gettext("It starts on %(time)s. Open the page to see why.")
    values = {"time": text_of(notice.happens_at, "moment", names_offset)}
    return gettext("Your tournament was moved"), text % values
