"""The refusal by a member's own limit or break, their country or their age."""

from typing import Any

from accounts.shared.refusals import Refused


class OwnLimit(Refused):
    """A limit, a break, the country or the age of the member `user_id` forbids the request.

    Other members must not learn which of these it is.

    Codes, with their details: `excluded` (`until` in ISO 8601, `kind`), `country_closed`,
    `age_unconfirmed` (`age`), `own_stake` (`limit`), `own_loss` and `own_deposit` (`limit` and
    `left` in credits, `kind` of the limit; of a top-up also `pending`, the credits of payments
    still open), `own_session` (`limit` in minutes, `wait_s`).
    """

    def __init__(self, user_id: int, code: str, **details: Any) -> None:
        super().__init__(code, **details)
        self.user_id = user_id
