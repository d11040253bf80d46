// A second press on the button of a form, before the next page comes, must not send the form again:
// some forms would create two things, others would answer that their code was used already.

const AGAIN_MS = 1500; // a form that is sent again after this time is sent on purpose

const sent = new WeakMap(); // form -> time stamp of its last submit event

function ignoreIfRepeated(event) {
  if (event.defaultPrevented) return; // a script handles this form, and guards it if need be
  const form = event.target;
  if (event.timeStamp - (sent.get(form) ?? -Infinity) < AGAIN_MS) event.preventDefault();
  else sent.set(form, event.timeStamp);
}

export function ignoreRepeatedSubmits() {
  document.addEventListener("submit", ignoreIfRepeated);
}
