// The member's own profile. This script previews choices, warns about unsaved ones, and shrinks large
// photos before the upload; the page works without it.

import { part, setHidden, setText } from "../lib/dom.js";

const MAX_BYTES = 2 * 1024 * 1024; // the server's limit for an upload
const MAX_SIDE = 4096; // px, the server's limit
const SENT_SIDE = 768; // px, shorter side after scaling down
const OWN_NEWS_MS = 5000; // nudges within this time of a change on this page are caused by it

const form = part("profile");
const bar = part("save-bar");
const isRefused = "unsaved" in form.dataset; // the site refused the form and shows its unsaved values
let isLeaving = false;
let ownChangeAt = -OWN_NEWS_MS;

// --- Unsaved changes ----------------------------------------------------------------------------

function isChanged(control) {
  if (!control.name) return false;
  if (control.type === "radio" || control.type === "checkbox") return control.checked !== control.defaultChecked;
  if (control.options) return [...control.options].some((option) => option.selected !== option.defaultSelected);
  return control.value !== control.defaultValue;
}

const isUnsaved = () => isRefused || [...form.elements].some(isChanged);

function showState() {
  const needed = isUnsaved();
  bar.classList.toggle("is-needed", needed);
  setHidden(part("undo"), !needed);
  setText(part("save-note"), needed ? part("unsaved").content.textContent : "");
}

form.addEventListener("change", () => { showCrest(); showFlag(); showState(); });
form.addEventListener("reset", (event) => {
  if (isRefused) {
    event.preventDefault();
    isLeaving = true;
    location.replace(form.action);
  }
  setTimeout(() => { showCrest(); showFlag(); showState(); });
});
form.addEventListener("submit", () => { isLeaving = true; });
addEventListener("pageshow", () => { isLeaving = false; showState(); });
addEventListener("beforeunload", (event) => {
  if (!isLeaving && isUnsaved()) event.preventDefault();
});

// --- Preview of choices --------------------------------------------------------------------------

function showCrest() {
  const crest = form.querySelector('input[name="crest"]:checked')?.value;
  for (const avatar of document.querySelectorAll("[data-follows-crest]")) avatar.dataset.crest = crest;
  const picture = form.querySelector('input[name="avatar"]:checked')?.parentElement.querySelector("img");
  if (picture) part("shown-avatar").src = picture.src;
}

function showFlag() {
  const place = form.querySelector("[data-flags]");
  const code = place.querySelector("select").value.toLowerCase();
  place.querySelector(".flag")?.remove();
  if (!code) return;
  const flag = new Image(32, 24);
  flag.className = "flag";
  flag.alt = "";
  flag.src = `${place.dataset.flags}${code}.svg`;
  place.append(flag);
}

// --- Uploading a picture ---------------------------------------------------------------------------

/** Scale a photo above the site's limits down; return any other file unchanged. */
async function shrunk(file) {
  try {
    const photo = await createImageBitmap(file);
    if (file.size <= MAX_BYTES && Math.max(photo.width, photo.height) <= MAX_SIDE) return file;
    const scale = Math.min(1, SENT_SIDE / Math.min(photo.width, photo.height), MAX_SIDE / Math.max(photo.width, photo.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(photo.width * scale);
    canvas.height = Math.round(photo.height * scale);
    canvas.getContext("2d").drawImage(photo, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => { canvas.toBlob(done, "image/webp", 0.9); });
    return blob ? new File([blob], "picture", { type: blob.type }) : file;
  } catch {
    return file;
  }
}

form.closest(".profile-cards").classList.add("is-live");
form.addEventListener("change", async (event) => {
  const input = event.target;
  if (input.type !== "file" || !input.files.length) return;
  const files = new DataTransfer();
  files.items.add(await shrunk(input.files[0]));
  input.files = files.files;
  input.form.requestSubmit();
});
document.body.addEventListener("htmx:afterSettle", () => { showCrest(); showState(); });

// --- Navigation within the page --------------------------------------------------------------------

const links = new Map([...document.querySelectorAll(".page-nav a")].map((link) => [link.hash.slice(1), link]));
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) links.get(target.id).setAttribute("aria-current", "true");
    else links.get(target.id).removeAttribute("aria-current");
  }
}, { rootMargin: "-25% 0px -74%" }); // a line across the upper part of the window
for (const id of links.keys()) observer.observe(document.getElementById(id));

// --- Changed elsewhere -----------------------------------------------------------------------------

for (const own of document.querySelectorAll("#avatar-upload, #avatar-remove")) {
  for (const type of ["htmx:beforeRequest", "htmx:afterRequest"]) {
    own.addEventListener(type, () => { ownChangeAt = performance.now(); });
  }
}
for (const news of ["nudge-profile", "nudge-choices"]) {
  document.body.addEventListener(news, () => {
    if (!isLeaving && performance.now() - ownChangeAt > OWN_NEWS_MS) setHidden(part("elsewhere"), false);
  });
}

showState();
