// Chat phrases in the reader's language; the codes are those of chat/phrases.py.

export const PHRASES = Object.freeze({
  hello: () => pgettext("chat", "Hello!"),
  good_luck: () => pgettext("chat", "Good luck!"),
  nice_roll: () => pgettext("chat", "Nice roll!"),
  nice_play: () => pgettext("chat", "Nice play!"),
  well_played: () => pgettext("chat", "Well played!"),
  lucky: () => pgettext("chat", "I was lucky."),
  unlucky: () => pgettext("chat", "That was bad luck."),
  oops: () => pgettext("chat", "Oops!"),
  thinking: () => pgettext("chat", "Let me think…"),
  one_moment: () => pgettext("chat", "One moment, please."),
  thanks: () => pgettext("chat", "Thank you!"),
  sorry: () => pgettext("chat", "Sorry!"),
  again: () => pgettext("chat", "Another match?"),
  good_game: () => pgettext("chat", "Good game!"),
  bye: () => pgettext("chat", "Bye!"),
});

/** Emoji with their spoken names. */
export const EMOJI = Object.freeze({
  smile: ["🙂", () => pgettext("emoji", "smile")],
  laugh: ["😄", () => pgettext("emoji", "laugh")],
  wink: ["😉", () => pgettext("emoji", "wink")],
  cool: ["😎", () => pgettext("emoji", "cool")],
  wow: ["😮", () => pgettext("emoji", "wow")],
  sad: ["🙁", () => pgettext("emoji", "sad")],
  cry: ["😢", () => pgettext("emoji", "tears")],
  angry: ["😠", () => pgettext("emoji", "angry")],
  clap: ["👏", () => pgettext("emoji", "applause")],
  thumbs_up: ["👍", () => pgettext("emoji", "thumbs up")],
  heart: ["❤️", () => pgettext("emoji", "heart")],
  fire: ["🔥", () => pgettext("emoji", "fire")],
});

/**
 * Return the text of a message. A typed text is the author's own: insert it as text, never as HTML.
 * @param {{phrase?:string,emoji?:string,text?:string}} message
 */
export function messageText(message) {
  if (message.phrase) return PHRASES[message.phrase]?.() ?? "";
  if (message.emoji) return EMOJI[message.emoji]?.[0] ?? "";
  return message.text ?? "";
}
