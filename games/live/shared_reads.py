"""Reads that many sockets of this process need at the same time, in one query for all of them."""

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import MOST_IN_A_TURN, SharedRead, Stage
from games import selectors
from games.protocol import snapshots
from games.protocol.snapshots import Frame, Progress
from games.services import chat
from games.services.chat import Hearing

# Most matches that one query reads whole: a longer query would delay the players.
MOST_AT_ONCE = 100


def read_progress(public_ids: set[str]) -> dict[str, Progress]:
    return snapshots.progress(public_ids, CLOCK.now())


def read_presence(public_ids: set[str]) -> dict[str, Frame | None]:
    return snapshots.presence_frames(public_ids, CLOCK.now())


def read_hearing(reader_ids: set[int]) -> dict[int, Hearing]:
    return chat.hearing_of_each(reader_ids, CLOCK.now())


# For the pings of players.
PROGRESS = SharedRead(read_progress)
# For the tables at which somebody came or went: all of them after a process has ended.
PRESENCE = SharedRead(read_presence, most=MOST_AT_ONCE)
# For sockets that connect.
VIEWPOINTS = SharedRead(selectors.find_viewpoints, Stage.VIEWPOINT, MOST_IN_A_TURN)
HEARING = SharedRead(read_hearing)
RECENT = SharedRead(chat.recent_of_each, Stage.CHAT, MOST_IN_A_TURN)
# For sockets that have closed, and those that may have lost their seat.
HOLDERS = SharedRead(selectors.holders_of)
