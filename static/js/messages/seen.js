// In a hidden tab a conversation fetches new messages without marking them as read. They are marked
// once the reader comes back: until then the header counts them, and their author does not see "read".

const LINES = "conversation-lines"; // id of the part that fetches itself
let isBehind = false; // messages were fetched while the tab was hidden

document.body.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.target.id !== LINES) return;
  isBehind = document.hidden;
  if (document.hidden) detail.parameters.away = "1";
});
document.addEventListener("visibilitychange", () => {
  if (isBehind && !document.hidden) document.body.dispatchEvent(new CustomEvent("reader-back"));
});
