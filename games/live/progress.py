"""Read the progress of matches for the pings of all players of this process."""

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import SharedRead
from games.protocol import snapshots
from games.protocol.snapshots import Progress


def read_progress(public_ids: set[str]) -> dict[str, Progress]:
    return snapshots.progress(public_ids, CLOCK.now())


PROGRESS = SharedRead(read_progress)
