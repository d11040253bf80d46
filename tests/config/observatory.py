"""Score a page by the tests and modifiers of Mozilla's HTTP Observatory, or more strictly.

The score is 100 less the penalties; if it is at least 90, the bonuses are added
(https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring). Tests cannot ask the
service itself, which rates only sites on the internet. Stricter here: Access-Control-Allow-Origin
with any value, or a script with an absolute URL, costs 50 points.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

SIX_MONTHS_S = 15_768_000
LEAST_FOR_BONUS = 90
BROAD = {"*", "http:", "https:", "ftp:", "http://*", "https://*"}
PRIVATE_REFERRERS = {
    "no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin",
}  # fmt: skip


@dataclass(frozen=True)
class Visit:
    """A page over https, its cookies and script tags, and the target of the plain http address."""

    headers: dict[str, str]
    cookies: list[str]
    scripts: str
    http_leads_to: str
    host: str


def score(visit: Visit) -> int:
    modifiers = [test(visit) for test in TESTS.values()]
    total = 100 + sum(modifier for modifier in modifiers if modifier < 0)
    if total >= LEAST_FOR_BONUS:
        total += sum(modifier for modifier in modifiers if modifier > 0)
    return max(0, total)


def policy_of(visit: Visit) -> dict[str, set[str]]:
    text = visit.headers.get("content-security-policy", "")
    parts = [part.split() for part in text.split(";") if part.strip()]
    return {name: set(sources) for name, *sources in parts}


def content_security_policy(visit: Visit) -> int:
    policy = policy_of(visit)
    if not policy:
        return -25
    default = policy.get("default-src", {"*"})
    script, style = policy.get("script-src", default), policy.get("style-src", default)
    others = policy.get("object-src", default)
    if script & (BROAD | {"'unsafe-inline'", "data:"}) or others & BROAD:
        return -20
    if any("http:" in sources for sources in policy.values()):
        return -20
    if "'unsafe-eval'" in script | style:
        return -10
    if style & (BROAD | {"'unsafe-inline'", "data:"}):
        return 0
    has_own_forms_only = policy.get("form-action", {"*"}) <= {"'self'", "'none'"}
    return 10 if default == {"'none'"} and has_own_forms_only else 5


def cookies(visit: Visit) -> int:
    if not visit.cookies:
        return 0
    penalty, has_same_site = 0, True
    for cookie in visit.cookies:
        name = cookie.split("=")[0].lower()
        flags = {part.strip().lower() for part in cookie.split(";")[1:]}
        is_session = "sess" in name or "login" in name
        is_protected = strict_transport_security(visit) >= 0
        same_site = {flag for flag in flags if flag.startswith("samesite")}
        has_same_site = has_same_site and bool(same_site)
        if "secure" not in flags:
            loss = -10 if is_protected else -40
            penalty = min(penalty, loss if is_session else loss // 2)
        if "httponly" not in flags and is_session:
            penalty = min(penalty, -30)
        if same_site - {"samesite=lax", "samesite=strict"} or ("csrf" in name and not same_site):
            penalty = min(penalty, -20)
    return penalty or (5 if has_same_site else 0)


def cross_origin_resource_sharing(visit: Visit) -> int:
    return -50 if visit.headers.get("access-control-allow-origin") else 0


def redirection(visit: Visit) -> int:
    if not visit.http_leads_to.startswith("https://"):
        return -20
    return 0 if visit.http_leads_to.startswith(f"https://{visit.host}/") else -5


def referrer_policy(visit: Visit) -> int:
    policy = visit.headers.get("referrer-policy")
    if policy is None:
        return 0
    return 5 if policy in PRIVATE_REFERRERS else -5


def strict_transport_security(visit: Visit) -> int:
    header = visit.headers.get("strict-transport-security", "")
    age = re.search(r"max-age=(\d+)", header)
    if age is None:
        return -20
    return 0 if int(age.group(1)) >= SIX_MONTHS_S else -10


def subresource_integrity(visit: Visit) -> int:
    return -50 if re.search(r"src=[\"']?(?:https?:)?//", visit.scripts) else 0


def content_type_options(visit: Visit) -> int:
    return 0 if visit.headers.get("x-content-type-options") == "nosniff" else -5


def framing(visit: Visit) -> int:
    ancestors = policy_of(visit).get("frame-ancestors", {"*"})
    if not ancestors & BROAD:
        return 5
    return 0 if visit.headers.get("x-frame-options") in ("DENY", "SAMEORIGIN") else -20


def cross_origin_resource_policy(visit: Visit) -> int:
    policy = visit.headers.get("cross-origin-resource-policy")
    if policy in (None, "cross-origin"):
        return 0
    return 10 if policy in ("same-origin", "same-site") else -5


TESTS: dict[str, Callable[[Visit], int]] = {
    "csp": content_security_policy,
    "cookies": cookies,
    "cors": cross_origin_resource_sharing,
    "redirection": redirection,
    "referrer": referrer_policy,
    "hsts": strict_transport_security,
    "sri": subresource_integrity,
    "nosniff": content_type_options,
    "framing": framing,
    "corp": cross_origin_resource_policy,
}
