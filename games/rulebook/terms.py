"""The rules that a page of the rules explains: those of a match, or of a rule set."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest

from games import selectors
from games.engine.rules import Profile, Rules, Variant
from games.models import Match


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules to explain; `match` is None for a rule set.

    `query` has the parameters that lead back to the same terms.
    """

    rules: Rules
    match: Match | None = None

    @property
    def query(self) -> dict[str, str]:
        if self.match is not None:
            return {"match": self.match.public_id}
        profile = self.rules.profile
        return {} if profile is Profile.CLASSIC else {"rules": profile.value}

    def address(self, path: str, **more: str) -> str:
        return f"{path}?{urlencode({**self.query, **more})}"


def terms_of(request: HttpRequest, variant: Variant) -> Terms:
    """Read `?match=` and `?rules=`; unknown or forbidden values are ignored (default: classic)."""
    match = _match_of(request, variant)
    if match is not None:
        return Terms(match.match_rules, match)
    asked = request.GET.get("rules", "")
    profile = Profile(asked) if asked in set(Profile) else Profile.CLASSIC
    return Terms(Rules.of(variant, profile))


def _match_of(request: HttpRequest, variant: Variant) -> Match | None:
    public_id = request.GET.get("match", "")
    match = selectors.find_match(public_id) if public_id else None
    if match is None or match.match_rules.variant is not variant:
        return None
    actor = selectors.actor_of(request.user, request.session)
    return match if selectors.viewpoint_of(match, actor) is not None else None
