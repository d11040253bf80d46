// A game that begins while its player looks around: the bell, the title, and the table opens.

const table = () => document.querySelector('[data-part="table"]');

function ring() {
  const bell = new Audio(document.body.dataset.bell);
  bell.play().catch(() => {}); // a page that nobody has touched yet may make no sound
}

/** The table opens by itself, but not away from another one: there the line says it. */
function begin(link) {
  ring();
  document.title = `★ ${link.closest("p").textContent.trim().replace(/\s+/g, " ")}`;
  if (!table()) location.assign(link.href);
}

document.body.addEventListener("htmx:afterSwap", () => {
  const link = document.querySelector("#live [data-begins]");
  if (link && !link.dataset.rung && !location.pathname.includes(link.dataset.begins)) {
    link.dataset.rung = "yes";
    begin(link);
  }
});
