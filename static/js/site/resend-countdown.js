// A button that is disabled while the time beside it runs down. The server keeps the time; without
// this script the button answers with the time left.

const SECOND = 1000;

const clock = (seconds) => {
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const start = hours ? `${hours}:${two(minutes)}` : `${minutes}`;
  return `${start}:${two(seconds % 60)}`;
};

for (const button of document.querySelectorAll("[data-countdown]")) {
  const note = document.getElementById(button.getAttribute("aria-describedby"));
  const text = note.querySelector("[data-countdown-text]");
  const end = Date.now() + Number(button.dataset.countdown) * SECOND;
  const tick = () => {
    const left = Math.ceil((end - Date.now()) / SECOND);
    button.disabled = left > 0;
    note.hidden = left <= 0;
    if (left <= 0) return;
    text.textContent = clock(left);
    setTimeout(tick, SECOND);
  };
  tick();
}
