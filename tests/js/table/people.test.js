// Absence, rematch and chat as the table shows them.

import assert from "node:assert/strict";
import test from "node:test";

import { Chat, ReadMark, isWanted } from "../../../static/js/table/chat.js";
import { PeoplePanel, absenceState, awayLeft } from "../../../static/js/table/people.js";
import { followsRematch, mayFollow, rematchState } from "../../../static/js/table/rematch.js";

const away = { white: { is_absent: false, left_ms: 90_000 }, black: { is_absent: true, left_ms: 5_000 } };

test("a present side is not away, an absent side counts down to zero", () => {
  assert.equal(awayLeft(away, "white", 0), null);
  assert.equal(awayLeft(away, "black", 2_000), 3_000);
  assert.equal(awayLeft(away, "black", 9_000), 0);
  assert.equal(awayLeft(null, "black", 0), null);
});

test("a rematch is open, offered, asked, refused, over or made", () => {
  const open = { offered_by: null, refused: false, until: 100, match: null };
  assert.equal(rematchState(open, "white", 50), "open");
  assert.equal(rematchState({ ...open, offered_by: "white" }, "white", 50), "offered");
  assert.equal(rematchState({ ...open, offered_by: "black" }, "white", 50), "asked");
  assert.equal(rematchState({ ...open, refused: true }, "white", 50), "refused");
  assert.equal(rematchState(open, "white", 100), "over");
  assert.equal(rematchState({ ...open, match: "x" }, "white", 500), "made");
  assert.equal(rematchState(open, null, 50), "none");
  assert.equal(rematchState(null, "white", 50), "none");
});

test("a rematch opens once, on a page that was open when the players agreed to it", () => {
  for (const before of ["open", "offered", "asked", "over"]) assert.ok(followsRematch(before, "made"));
  assert.ok(!followsRematch("made", "made")); // the next page may take long to come
  assert.ok(!followsRematch(undefined, "made")); // opened later, to see the result
  assert.ok(!followsRematch("open", "offered"));
});

test("a rematch is not opened by a window without the seat, or by one that learns of it late", () => {
  const model = (holder) => ({ you: { side: "white", holder }, rematch: { until: 30_000, match: "x" } });
  assert.ok(mayFollow(model(true), 31_000));
  assert.ok(!mayFollow(model(false), 31_000));
  assert.ok(!mayFollow(model(true), 300_000));
});

test("an absence is away, then over; it is null after the match and for spectators", () => {
  const inPlay = { view: { phase: "to_play" }, you: { side: "white" } };
  assert.equal(absenceState(inPlay, null), "present");
  assert.equal(absenceState(inPlay, 1), "away");
  assert.equal(absenceState(inPlay, 0), "over");
  assert.equal(absenceState({ ...inPlay, view: { phase: "finished" } }, 0), null);
  assert.equal(absenceState({ ...inPlay, you: { side: null } }, 0), null);
});

/** Set a `document` that finds only these elements, given by the name of their part. */
function page(t, parts) {
  globalThis.document = { querySelector: (selector) => parts[/"(.+)"/.exec(selector)[1]] ?? null };
  t.after(() => delete globalThis.document);
}

/** Return a table with the presence of both players, seen by White. */
const tableWith = (presence) => ({
  model: { view: { phase: "to_play" }, you: { side: "white", holder: true }, presence, rematch: null, match: { seats: { black: { kind: "user", name: "Boris" } } } },
  time: { at: () => 0 }, boot: { urls: { match: "" } },
});

test("an absence is said once, again when the win can be claimed, and on return", (t) => {
  globalThis.gettext = (text) => text;
  globalThis.interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
  const button = { hidden: true, classList: { toggle() {} }, dataset: {} };
  const line = { hidden: true, dataset: {}, firstChild: { textContent: "" }, lastChild: button };
  const said = { heard: [], get textContent() { return this.heard.at(-1) ?? ""; }, set textContent(text) { this.heard.push(text); } };
  page(t, { absence: line, "absence-said": said, rematch: { hidden: true } });
  const table = tableWith(null);
  const panel = new PeoplePanel(table);
  const draw = (presence) => {
    table.model.presence = presence;
    panel.draw();
  };
  const away = (left_ms) => ({ black: { is_absent: true, left_ms } });
  for (const presence of [null, away(1e9), away(9e8), away(0), away(0), null, null]) draw(presence);
  assert.equal(said.heard.length, 3);
  assert.match(said.heard[0], /^Boris is away\./);
  assert.deepEqual(said.heard.slice(1), ["Boris is still away. Claim the win, or wait.", "Boris is back."]);
});

/** Open the chat, with the details in the column of a wide page or not; return the calls made. */
function openedChat(t, isInColumn, checkVisibility = () => true) {
  const done = [];
  const focus = (name) => ({ checkVisibility, focus: () => done.push(name) });
  page(t, { "details-column": { contains: () => isInColumn }, details: {}, "chat-list": focus("list"), "chat-text": focus("field") });
  const table = {
    offers: { foldResult: (isFolded) => done.push(`folded ${isFolded}`) },
    moreDialog: { open: (tab) => done.push(`dialog ${tab}`), showDetails: (tab) => done.push(`column ${tab}`) },
  };
  PeoplePanel.prototype.showChat.call({ table });
  return done;
}

test("the chat opens in the column of a wide page, else in the dialog", (t) => {
  assert.deepEqual(openedChat(t, true), ["folded true", "column chat", "field"]);
  assert.deepEqual(openedChat(t, true, () => false), ["folded true", "column chat", "list"]);
  assert.deepEqual(openedChat(t, true, null), ["folded true", "column chat", "field"]);
  assert.deepEqual(openedChat(t, false), ["dialog chat", "list"]);
});

/** Return a chat with two unread messages; `counts` collects the read marks and unread counts. */
function chatWith(t, isCovered) {
  globalThis.gettext = (text) => text;
  globalThis.pgettext = (context, text) => text;
  globalThis.interpolate = (text) => text;
  const element = { textContent: "", dataset: {}, hidden: false, addEventListener() {}, append() {}, replaceChildren() {} };
  page(t, {});
  Object.assign(document, { createElement: () => ({ ...element }), documentElement: { lang: "en", dataset: { zone: "UTC" } } });
  const counts = [];
  const chat = new Chat({ ...element, querySelector: () => element, checkVisibility: () => true }, {
    isCovered: () => isCovered, onUnread: (count) => counts.push(count), mark: { set: (id) => counts.push(`read ${id}`) },
  });
  return Object.assign(chat, { seen: new Set([6, 7]), unread: new Set([6, 7]), maySpeak: true, counts });
}

/**
 * Return the panel of a player who is connected; `say` types and sends a text, which stays
 * unanswered.
 */
function talking(t) {
  globalThis.gettext = (text) => text;
  globalThis.pgettext = (context, text) => text;
  const parts = {};
  const element = () => ({
    textContent: "", value: "", dataset: {}, append() {}, replaceChildren() {},
    addEventListener(type, act) { this[type] = act; },
    querySelector: (selector) => (parts[selector] ??= element()),
  });
  const root = element();
  page(t, { chat: root });
  document.createElement = element;
  const sent = [];
  const panel = new PeoplePanel({
    model: { you: { side: "white" } }, boot: { id: "one", member: "anna" }, store: null, isLive: true,
    socket: { status: "live", say: (content) => `id-${sent.push(content)}` },
  });
  const found = (name) => root.querySelector(`[data-part="${name}"]`);
  const field = found("chat-text");
  const say = (text) => {
    field.value = text;
    found("chat-form").submit({ preventDefault() {} });
    assert.equal(field.value, "");
  };
  return { panel, field, say, note: () => found("chat-note").textContent };
}

test("all texts without an answer return to their field when the connection is closed", (t) => {
  const { panel, field, say, note } = talking(t);
  say("Good luck!");
  panel.chat.acts.say({ phrase: "hello" });
  say("Are you there?");
  panel.closed();
  assert.equal(field.value, "Good luck! Are you there?");
  assert.equal(note(), "Not sent: you are offline.");
  const long = talking(t);
  for (const letter of "abc") long.say(letter.repeat(90));
  long.panel.closed();
  assert.equal(long.field.value.length, 200);
});

test("refused texts return to their field, unless the player is writing another", (t) => {
  const { panel, field, say } = talking(t);
  for (const text of ["one", "two", "three"]) say(text);
  assert.ok(panel.refused({ id: "id-1", code: "too_fast" }));
  assert.ok(panel.refused({ id: "id-2", code: "too_fast" }));
  assert.equal(field.value, "one two");
  field.value = "a draft";
  assert.ok(panel.refused({ id: "id-3", code: "too_fast" }));
  assert.equal(field.value, "a draft");
});

test("after a message that was refused as too fast, none is sent for a moment", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const { panel, note } = talking(t);
  const say = () => panel.chat.acts.say({ emoji: "smile" });
  assert.ok(say());
  panel.refused({ id: "id-1", code: "too_fast" });
  assert.ok(!say());
  assert.match(note(), /^A little slower/);
  now = 2000;
  assert.ok(say());
});

test("undoing the mutes of a player brings all of their lines back, and those of no other player", (t) => {
  const { panel: { chat } } = talking(t);
  const list = {
    lines: [],
    get children() { return this.lines; },
    insertBefore(line, after) { this.lines.splice(after ? this.lines.indexOf(after) : this.lines.length, 0, line); },
  };
  const line = (id, by, kind) => ({
    dataset: { id: String(id), by, kind },
    remove() { list.lines = list.lines.filter((each) => each !== this); },
  });
  list.lines = [line(1, "black", "text"), line(2, "black", "sign"), line(3, "carl", "text"), line(4, "white", "text")];
  chat.list = list;
  const press = (dataset) => chat.root.click({ target: { closest: () => ({ dataset }) } });
  const shown = () => list.lines.map(({ dataset }) => dataset.id);
  press({ mute: "carl" });
  press({ muteText: "black" });
  assert.deepEqual(shown(), ["2", "4"]);
  press({ mute: "black" });
  assert.deepEqual(shown(), ["4"]);
  press({ unmute: "black" });
  assert.deepEqual(shown(), ["1", "2", "4"]);
});

// Only the server stores reports and mutes and ends stored mutes: without it the page must not
// confirm any of these.
test("without a connection no report, stored mute or its end is said to be done", (t) => {
  const { panel: { chat, table }, note } = talking(t);
  Object.assign(chat, { isMember: true, list: { children: [] } });
  table.model.match = { seats: {} };
  table.socket.ask = () => false;
  const press = (dataset, target = {}) => {
    chat.root.click({ target: Object.assign(target, { closest: () => ({ dataset }) }) });
    return target;
  };
  assert.ok(!press({ report: "7" }).disabled);
  assert.equal(note(), "Not sent: you are offline.");
  press({ mute: "black" });
  assert.match(note(), /at this table\.$/);
  table.socket.ask = () => true;
  press({ mute: "black" });
  table.socket.ask = () => false;
  press({ unmute: "black" });
  assert.equal(note(), "Not sent: you are offline.");
  assert.ok(chat.muted.has("black"));
  table.socket.ask = () => true;
  assert.ok(press({ report: "7" }).disabled);
  assert.match(note(), /^Reported\./);
  press({ unmute: "black" });
  assert.ok(!chat.muted.has("black"));
});

test("a mute made without a connection can be undone without one; a stored one cannot", (t) => {
  const { panel: { chat, table }, note } = talking(t);
  Object.assign(chat, { isMember: true, list: { children: [] } });
  table.model.match = { seats: {} };
  const press = (dataset) => chat.root.click({ target: { closest: () => ({ dataset }) } });
  table.socket.ask = () => false;
  press({ mute: "black" });
  press({ unmute: "black" });
  assert.deepEqual([chat.muted.size, note()], [0, "You see this player’s messages again."]);
  table.socket.ask = () => true;
  press({ muteText: "black" });
  table.socket.ask = () => false;
  press({ unmute: "black" });
  assert.deepEqual([chat.textMuted.size, note()], [1, "Not sent: you are offline."]);
});

test("messages are marked as read only while the result card does not cover them", (t) => {
  const covered = chatWith(t, true);
  covered.read();
  assert.deepEqual(covered.counts, []);
  const open = chatWith(t, false);
  open.read();
  open.read();
  assert.deepEqual(open.counts, ["read 7", 0]);
});

test("a silence ends at its moment by the server's clock, hours after or before the device's", (t) => {
  for (const device of ["2030-01-01T09:00:00Z", "2030-01-01T15:00:00Z"]) {
    t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.parse(device) });
    const chat = chatWith(t, false);
    const ahead = Date.parse("2030-01-01T12:00:00Z") - Date.now();
    chat.acts.now = () => Date.now() + ahead;
    chat.silence({ until: "2030-01-01T13:01:00Z", note: "" });
    t.mock.timers.tick(61 * 60_000 - 1);
    assert.ok(chat.isSilenced);
    t.mock.timers.tick(1);
    assert.ok(!chat.isSilenced);
    t.mock.timers.reset();
  }
});

test("the chat's time is the match's creation and the time passed since, as the server sent them", (t) => {
  const { panel: { chat, table } } = talking(t);
  table.model.match = { created_at: "2030-01-01T12:00:00.000Z" };
  table.time = { at: () => 90_000 };
  assert.equal(chat.acts.now(), Date.parse("2030-01-01T12:01:30Z"));
});

test("a message is shown once, and never from a muted player", () => {
  const message = { id: 3, by: "black" };
  assert.ok(isWanted(message, new Set(), new Set()));
  assert.ok(!isWanted(message, new Set([3]), new Set()));
  assert.ok(!isWanted(message, new Set(), new Set(["black"])));
  const textMuted = new Set(["black"]);
  assert.ok(isWanted({ ...message, phrase: "hello" }, new Set(), new Set(), textMuted));
  assert.ok(!isWanted({ ...message, text: "hello" }, new Set(), new Set(), textMuted));
});

test("read messages stay read at their own table only", () => {
  const kept = new Map();
  const store = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  const mark = new ReadMark(store, "one");
  assert.equal(mark.id, 0);
  mark.set(7);
  mark.set(5);
  assert.equal(new ReadMark(store, "one").id, 7);
  assert.equal(new ReadMark(store, "two").id, 0);
  assert.equal(new ReadMark(null, "one").id, 0);
  assert.equal(new ReadMark({ getItem: () => "not JSON" }, "one").id, 0);
});

test("a message lost on the way is unread even if a newer one was read on this page", () => {
  const kept = new Map();
  const store = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  const mark = new ReadMark(store, "one");
  mark.set(7);
  assert.ok(!mark.covers(6));
  const reopened = new ReadMark(store, "one");
  assert.ok(reopened.covers(6));
  assert.ok(reopened.covers(7));
  assert.ok(!reopened.covers(8));
});

test("the first state of a connection turns the chat on: the server repeats a silence that still holds", () => {
  const done = [];
  const panel = { chat: { silence: ({ until }) => done.push(until) }, join: (frame) => done.push(frame.t) };
  PeoplePanel.prototype.begin.call(panel, { t: "state" });
  assert.deepEqual(done, [null, "state"]);
});
