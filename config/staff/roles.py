"""The roles of the staff and their permissions. `manage.py makeroles` creates the groups.

No role may edit users' rights or groups: only superusers do (accounts/admin.py).
"""

from collections.abc import Iterable

SUPPORT = "support"
MODERATOR = "moderator"
DIRECTOR = "tournament director"
FINANCE = "finance"
TRANSLATOR = "translator"


def _each(verb: str, app: str, models: Iterable[str]) -> set[str]:
    return {f"{app}.{verb}_{model}" for model in models}


_MATCHES = _each("view", "games", ("match", "seat", "game", "rematchoffer"))
_TOURNAMENTS = _each(
    "view", "tournaments", ("tournament", "entrant", "fixture", "prize", "timelineentry")
)
_MEMBERS = {"accounts.view_user"}
_LEDGER = _each("view", "wallet", ("account", "transfer", "entry", "hold"))
_PURCHASES = _each("view", "shop", ("payment", "ownedgood", "good"))
# Staff who make decisions choose ready reasons; translators write them.
_REASONS = {"accounts.view_readyreason"}
_CASES = _each("view", "stats", ("case", "caseperson"))

ROLES: dict[str, frozenset[str]] = {
    SUPPORT: frozenset(
        _MEMBERS
        | _MATCHES
        | _TOURNAMENTS
        | _LEDGER
        | _PURCHASES
        | _each("view", "chat", ("answerpreset", "playerreport", "report", "silence", "ticket"))
        | _each("view", "games", ("interruption", "strike"))
        | _each("view", "lobby", ("invitation", "seek"))
        | {"account.view_emailaddress", "accounts.view_outgoingemail", "chat.change_ticket"}
    ),
    MODERATOR: frozenset(
        _MEMBERS
        | _REASONS
        | _MATCHES
        | _each("view", "accounts", ("picture",))
        | _each("change", "accounts", ("picture", "user"))
        | _each("view", "chat", ("message", "playerreport", "report", "silence", "ticket"))
        | _each("change", "chat", ("playerreport", "report", "silence"))
        | {f"chat.{verb}_refusedword" for verb in ("view", "add", "change", "delete")}
        | _each("view", "games", ("action", "interruption", "strike"))
        | _each("change", "games", ("interruption", "match", "strike"))
        | _each("view", "lobby", ("invitation", "seek"))
        | _CASES
        | _each("view", "stats", ("onewayflow", "rating", "ratingchange"))
        | {"lobby.change_seek", "stats.add_case", "stats.change_case"}
    ),
    DIRECTOR: frozenset(
        _MEMBERS
        | _REASONS
        | _MATCHES
        | _TOURNAMENTS
        | {"games.view_action", "tournaments.view_seasonpoints"}
        | {"tournaments.add_tournament", "tournaments.manage"}
        | {f"tournaments.{verb}_schedule" for verb in ("view", "add", "change")}
    ),
    FINANCE: frozenset(
        _MEMBERS
        | _REASONS
        | _CASES
        | _MATCHES
        | _TOURNAMENTS
        | _LEDGER
        | _PURCHASES
        | _each("view", "wallet", ("exclusion", "freeze", "giftswitch", "limit", "limitchange"))
        | _each("view", "shop", ("debt", "debtpart", "ledgercount", "paymentevent"))
        | _each("change", "shop", ("debt", "good", "payment"))
        | {
            f"shop.{verb}_{row}"
            for verb in ("view", "add", "change")
            for row in ("pack", "packprice")
        }
        | {"shop.add_good", "stats.view_onewayflow"}
        | {"wallet.change_giftswitch", "wallet.correct", "wallet.view_waitingpayment"}
    ),
    TRANSLATOR: frozenset(
        {f"chat.{verb}_answerpreset" for verb in ("view", "add", "change")}
        | {f"accounts.{verb}_readyreason" for verb in ("view", "add", "change", "delete")}
        | {f"chat.{verb}_refusedword" for verb in ("view", "add", "change", "delete")}
        | {"shop.view_good"}
    ),
}
