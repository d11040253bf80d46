"""Codes of the one-tap phrases and emoji; the page shows them in the reader's language.

static/js/text/chat-phrases.js has the words and signs for the same codes, in the same order.
"""

PHRASES = (
    "hello",
    "good_luck",
    "nice_roll",
    "nice_play",
    "well_played",
    "lucky",
    "unlucky",
    "oops",
    "thinking",
    "one_moment",
    "thanks",
    "sorry",
    "again",
    "good_game",
    "bye",
)

EMOJI = (
    "smile",
    "laugh",
    "wink",
    "cool",
    "wow",
    "sad",
    "cry",
    "angry",
    "clap",
    "thumbs_up",
    "heart",
    "fire",
)
