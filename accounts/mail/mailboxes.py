"""Find the one mailbox behind the many spellings of an email address. Pure."""

import re

_YANDEX = ("ya.ru", "narod.ru", *(f"yandex.{end}" for end in ("by", "com", "com.tr", "kz", "ua")))
# Domains that lead to one mailbox -> the domain that stands for them.
_SAME_DOMAIN = {
    "googlemail.com": "gmail.com",
    **dict.fromkeys(_YANDEX, "yandex.ru"),
    **dict.fromkeys(("protonmail.com", "protonmail.ch", "pm.me"), "proton.me"),
    **dict.fromkeys(("me.com", "mac.com"), "icloud.com"),
}
# Yahoo's domains besides yahoo.*. Not aliases: each can have an account of its own.
_YAHOO = ("ymail.com", "rocketmail.com", "myyahoo.com")
# Fastmail's domains: all addresses at ann.fastmail.com lead to the mailbox ann@fastmail.com
# (https://www.fastmail.help/hc/en-us/articles/360060591053). In a name, `_` is the same as `-`.
_FASTMAIL = frozenset(
    [
        *(f"fastmail.{end}" for end in ("cn", "co.uk", "com", "com.au", "de", "es", "fm", "fr")),
        *(f"fastmail.{end}" for end in ("im", "in", "jp", "mx", "net", "nl", "org", "se", "to")),
        *(f"fastmail.{end}" for end in ("tw", "uk", "us")),
        "sent.com",
    ]
)
# Characters that a provider ignores.
_IGNORED = {"gmail.com": ".", "proton.me": ".-_"}


def one_mailbox(email: str) -> str:
    """Return the same text for all addresses that are known to lead to one mailbox.

    The text is for comparison only: emails are sent to the stored spelling (`normalize_email`),
    never to the text. Quotes around the name are removed (RFC 5321, 4.1.2: they do not belong to
    it). A plus and what follows it are cut off for every provider but Yahoo, which uses a hyphen.
    Dots are removed only where the provider ignores them. A subdomain of Fastmail counts as the
    mailbox's name. A change of these rules changes the fingerprints computed from the text;
    wallet/README.md describes the consequences.
    """
    name, _, domain = email.lower().rpartition("@")
    name = _unquoted(name)
    domain = _SAME_DOMAIN.get(domain, domain)
    alias, _, parent = domain.partition(".")
    if parent in _FASTMAIL:
        name, domain = alias, parent
    # Yahoo's disposable addresses have a hyphen instead of a plus; its other names have no hyphen.
    mark = "-" if domain.startswith("yahoo.") or domain in _YAHOO else "+"
    name = name.partition(mark)[0] or name
    if domain in _FASTMAIL:
        name = name.replace("_", "-")
    if domain == "yandex.ru":  # Yandex reads a dot as a hyphen
        name = name.replace(".", "-")
    ignored = _IGNORED.get(domain, "")
    return f"{''.join(letter for letter in name if letter not in ignored)}@{domain}"


def _unquoted(name: str) -> str:
    """Return the name without its quotes; inside them a backslash escapes the next character."""
    is_quoted = len(name) > 2 and name[0] == name[-1] == '"'
    return re.sub(r"(?s)\\(.)", r"\1", name[1:-1]) if is_quoted else name
