"""The terms of an announced game, reduced to a digest by which they are recognized again."""

import hashlib
import json

from lobby.models import Seek


def digest_of(seek: Seek) -> str:
    """Return the SHA-256 of the terms: rules and time, stake, rake, spectators, a hidden stake.

    A visible stake adds nothing, so that digests stored before stakes could be hidden stay valid.
    """
    terms = {
        "rules": seek.rules,
        "stake": seek.stake_credits,
        "rake": seek.rake_credits,
        "is_public": seek.is_public,
    } | ({"hides_stake": True} if seek.hides_stake else {})
    return hashlib.sha256(json.dumps(terms, sort_keys=True).encode()).hexdigest()
