"""Values of a session cookie that no session can have."""

# A NUL, as the octal escape that a quoted cookie may hold; a lone surrogate; too many and too few
# characters.
HOSTILE_KEYS = (
    '"\\000aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
    '"\\355\\240\\200aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
    "a" * 4000,
    "aaaaaaaa",
)
