// The waiting room: counts down between the server's answers, and rings when somebody has come.

function clockText(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  const shown = document.querySelector("[data-countdown]");
  if (!shown) return;
  const left = Math.max(0, Number(shown.dataset.countdown) - 1);
  shown.dataset.countdown = String(left);
  shown.textContent = clockText(left);
}

setInterval(tick, 1000);
