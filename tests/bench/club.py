"""Fill a PostgreSQL database with members, matches and credits, copied from one match.

The benches of pages use this database. It has ten ledger entries for each match, and one member for
every ten matches. The reader, the member whose pages are measured, has played a tenth of all
matches, half of them against one person, and has a hundredth of all ledger entries.
"""

from typing import Any

ENTRIES = 10  # ledger entries for each match
CHUNK = 5000
# SQL that joins the copies of the present step with their matches and seats.
MATCHES = "copies c JOIN games_match m ON m.public_id = c.public_id"
SEATS = f"{MATCHES} JOIN games_seat s ON s.match_id = m.id"
_WON = "(s.side = c.winner)"
_NET = f"CASE WHEN {_WON} THEN 90 ELSE -100 END"
# SQL values by column, for the rows to insert for each seat, match or review.
PLAYED = {
    "seat_id": "s.id",
    "user_id": "s.user_id",
    "match_id": "m.id",
    "finished_at": "c.at",
    "variant": "c.variant",
    "category": "'credits'",
    "against": "'member'",
    "level": "''",
    "opponent_id": "CASE s.side WHEN 'white' THEN c.black ELSE c.white END",
    "is_public": "true",
    "result": f"CASE WHEN {_WON} THEN 'won' ELSE 'lost' END",
    "length": "1",
    "own_score": f"{_WON}::int",
    "other_score": f"1 - {_WON}::int",
    "games_won": f"{_WON}::int",
    "games_lost": f"1 - {_WON}::int",
    "mars_won": "0",
    "mars_lost": "0",
    "rolls": "30",
    "doublets": "5",
    "pips": "245",
    "all_rolls": "50 + c.n % 40",
    "net_credits": _NET,
    "fee_credits": f"10 * {_WON}::int",
}
CHANGE = {
    "rated_id": "r.id",
    "user_id": "s.user_id",
    "variant": "c.variant",
    "length": "1",
    "result": f"{_WON}::int",
    "before": "1500",
    "opponent_before": "1500",
    "experience_before": "50",
    "chance": "0.5",
    "weight": "1",
    "played_weight": "1",
    "change": f"CASE WHEN {_WON} THEN 4 ELSE -4 END",
    "net_credits": _NET,
}
REVIEW = {
    "match_id": "m.id",
    "state": "'DONE'",
    "asker": "''",
    "plies": "1",
    "judge": "'{}'",
    "judgments": "'{}'",
    "at": "1",
    "done": "1",
    "total": "1",
    "turn_at": "c.at",
    "asked_at": "c.at",
    "finished_at": "c.at",
}
REVIEWED = {
    "seat_id": "s.id",
    "review_id": "v.id",
    "user_id": "s.user_id",
    "variant": "c.variant",
    "finished_at": "c.at",
    "reviewed_at": "c.at",
    "is_counted": "true",
    "decisions": "40",
    "loss": "0.6",
    "luck": "0.1",
}


class Club:
    """The members and matches, which grow: each step adds only the rows that are missing."""

    def __init__(self) -> None:
        from games.engine.rules import Rules
        from tests.games.factories import StakeMatchFactory
        from tests.games.played_out import play_out
        from tests.wallet.factories import player

        self.reader, self.other = player("reader", credits=1000), player("other", credits=1000)
        rules = Rules.of("short", delay_ms=20_000)
        self.original = play_out(
            StakeMatchFactory(white=self.reader, black=self.other, rules=rules)
        )
        self.matches = self.entries = 0

    def grow_to(self, matches: int) -> None:
        """Add matches, the members who play them, and ledger entries."""
        # Disable foreign keys, the ledger's triggers and the time limit.
        execute("SET session_replication_role = replica")
        execute("SET statement_timeout = 0")
        self._add_members(max(50, matches // 10))
        self._add_matches(matches)
        self._add_entries(matches * ENTRIES)
        execute("RESET session_replication_role")
        execute("RESET statement_timeout")
        execute("VACUUM ANALYZE")

    def _add_members(self, number: int) -> None:
        from django.utils import timezone

        from accounts.models import Preferences, Profile, User

        there = User.objects.filter(username__startswith="m").count()
        for start in range(there, number, CHUNK):
            chunk = range(start, min(start + CHUNK, number))
            now = timezone.now()
            made = User.objects.bulk_create(
                [User(username=f"m{each}", email=f"m{each}@example.org", activated_at=now)
                 for each in chunk]
            )  # fmt: skip
            profiles = [Profile.for_new(user.pk) for user in made]
            for profile, user in zip(profiles, made, strict=True):
                profile.user = user
            Profile.objects.bulk_create(profiles)
            Preferences.objects.bulk_create([Preferences(user=user) for user in made])
        execute(
            "INSERT INTO wallet_account (kind, user_id, code, balance_credits, held_credits)"
            " SELECT 'USER', id, '', 1000, 0 FROM accounts_user"
            " WHERE username LIKE 'm%' ON CONFLICT DO NOTHING"
        )

    def _add_matches(self, number: int) -> None:
        """Copy the played match; the number of a copy determines its players and its time."""
        execute("DROP TABLE IF EXISTS copies")
        execute(
            """
            CREATE TEMP TABLE copies AS
            WITH people AS (
                SELECT min(id) AS first, count(*) AS many FROM accounts_user
                WHERE username LIKE 'm%%'
            )
            SELECT n, 'b' || n AS public_id, now() - n * interval '10 minutes' AS at,
                CASE WHEN n %% 10 = 0 THEN %s ELSE first + n %% many END AS white,
                CASE WHEN n %% 20 = 0 THEN %s ELSE first + (n * 7 + 1) %% many END AS black,
                CASE WHEN n %% 30 = 0 THEN 'long' ELSE 'short' END AS variant,
                CASE WHEN n %% 3 = 0 THEN 'black' ELSE 'white' END AS winner
            FROM generate_series(%s, %s) AS n, people
            """,
            [self.reader.pk, self.other.pk, self.matches + 1, number],
        )
        execute("DELETE FROM copies WHERE white = black")
        self._copy_matches()
        self._copy_counts()
        self._copy_ratings()
        self._copy_reviews()
        self.matches = number

    def _copy_matches(self) -> None:
        from games.models import Match, Seat

        own = {"public_id": "c.public_id", "created_at": "c.at", "finished_at": "c.at"}
        named = {"variant": "c.variant", "winner": "c.winner"}
        original = Match.objects.filter(pk=self.original.pk)
        insert_copies(Match, original, own | named, "copies c")
        for side in ("white", "black"):
            seat = Seat.objects.filter(match=self.original, side=side)
            insert_copies(Seat, seat, {"match_id": "m.id", "user_id": f"c.{side}"}, MATCHES)

    def _copy_counts(self) -> None:
        """Add the rows that the worker writes for each seat, and the records against opponents."""
        from stats.models import CountedSeat, OpponentRecord, PlayedMatch

        counted = {"seat_id": "s.id", "finished_at": "c.at", "place": "s.id", "has_row": "true"}
        insert(CountedSeat, counted, SEATS)
        insert(PlayedMatch, PLAYED, SEATS)
        execute(f"TRUNCATE {OpponentRecord._meta.db_table}")
        record = {
            "user_id": "user_id",
            "opponent_id": "opponent_id",
            "won": "count(*) FILTER (WHERE result = 'won')",
            "lost": "count(*) FILTER (WHERE result = 'lost')",
            "drawn": "0",
            "last_match_id": "max(match_id)",
            "last_at": "max(finished_at)",
        }
        insert(
            OpponentRecord, record, f"{PlayedMatch._meta.db_table} GROUP BY user_id, opponent_id"
        )

    def _copy_ratings(self) -> None:
        from stats.models import RatedMatch, Rating, RatingChange

        rated = {"match_id": "m.id", "finished_at": "c.at", "place": "m.id", "rated_at": "c.at"}
        insert(RatedMatch, rated, MATCHES)
        insert(RatingChange, CHANGE, f"{SEATS} JOIN stats_ratedmatch r ON r.match_id = m.id")
        execute(
            f"INSERT INTO {Rating._meta.db_table} (user_id, variant, rating, experience, won, lost,"
            " drawn) SELECT id, v, 1300 + id % 400, 100, 5, 5, 0 FROM accounts_user,"
            " (VALUES ('short'), ('long')) AS variants (v) ON CONFLICT DO NOTHING"
        )

    def _copy_reviews(self) -> None:
        """Add a review of one match in forty."""
        from games.models import Review
        from stats.models import ReviewedSeat

        insert(Review, REVIEW, f"{MATCHES} WHERE c.n % 40 = 0")
        insert(ReviewedSeat, REVIEWED, f"{SEATS} JOIN games_review v ON v.match_id = m.id")

    def _add_entries(self, number: int) -> None:
        """Add transfers of two entries each; one transfer in fifty is the reader's."""
        first, last = self.entries // 2 + 1, number // 2
        house = execute("SELECT id FROM wallet_account WHERE kind = 'HOUSE' LIMIT 1")[0][0]
        own = execute("SELECT id FROM wallet_account WHERE user_id = %s", [self.reader.pk])
        others = "SELECT array_agg(id) AS ids FROM wallet_account WHERE kind = 'USER'"
        execute(
            "INSERT INTO wallet_transfer (key, cause, reference, reason, created_at)"
            " SELECT 'bench-' || n, CASE WHEN n %% 250 = 0 THEN 'gift' ELSE 'stake' END, '', '',"
            " now() - n * interval '1 minute' FROM generate_series(%s, %s) AS n ORDER BY n DESC",
            [first, last],
        )
        account = f"CASE WHEN n % 50 = 0 THEN {own[0][0]} ELSE ids[1 + n % cardinality(ids)] END"
        for which, sign in ((account, ""), (str(house), "-")):
            execute(
                "INSERT INTO wallet_entry (transfer_id, account_id, amount_credits)"
                f" SELECT t.id, {which}, {sign}(CASE WHEN n % 100 = 0 THEN 10 ELSE -10 END)"
                f" FROM generate_series({first}, {last}) AS n JOIN wallet_transfer t"
                f" ON t.key = 'bench-' || n, ({others}) AS people ON CONFLICT DO NOTHING"
            )
        self.entries = number


def insert_copies(model: Any, original: Any, changed: dict[str, str], source: str) -> None:
    """Copy one row for each row of the source, with some columns changed."""
    table = model._meta.db_table
    names = [f.column for f in model._meta.concrete_fields if not f.primary_key]
    values = {name: changed.get(name, f'o."{name}"') for name in names}
    insert(model, values, f"{source} CROSS JOIN {table} o WHERE o.id = {original.get().pk}")


def insert(model: Any, values: dict[str, str], source: str) -> None:
    columns = ", ".join(f'"{name}"' for name in values)
    execute(
        f"INSERT INTO {model._meta.db_table} ({columns})"
        f" SELECT {', '.join(values.values())} FROM {source}"
    )


def execute(sql: str, values: list[Any] | None = None) -> list[Any]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall() if cursor.description else []
