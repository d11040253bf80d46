// The browser's side of Web Push: the subscription, and the request that stores it.

const CREATED = 201;
const ACTIVE_WITHIN = 10_000; // ms; `ready` waits for ever if the service worker cannot be installed

/** @returns {boolean} whether this browser can show pushed notices of this site */
export function hasPush() {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/**
 * Subscribe this browser and store the subscription for the member; throw an error if the browser
 * or the site refuses.
 * @param {{key:string, url:string, token:string, kind:string}} offer
 *   `kind`: kinds of notices, separated by spaces; empty for all
 */
export async function subscribe({ key, url, token, kind }) {
  const registration = await registerWorker();
  const subscription = await currentSubscription(registration.pushManager, key);
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth, kind });
  const answer = await fetch(url, { method: "POST", headers: { "X-CSRFToken": token }, body });
  // Status 200 is a page after a redirect, such as the sign-in.
  if (answer.status !== CREATED) throw new Error(`status ${answer.status}`);
}

/** End the subscription of this browser, so that nothing can be pushed to it. */
export async function unsubscribe() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/**
 * Register the service worker as `site/keep-offline.js` does; return its registration once it is
 * active; throw an error if that takes too long.
 */
async function registerWorker() {
  await navigator.serviceWorker.register(`/sw.js?language=${document.documentElement.lang}`);
  const tooLate = new Promise((_, refuse) => setTimeout(refuse, ACTIVE_WITHIN, new Error("not active")));
  return Promise.race([navigator.serviceWorker.ready, tooLate]);
}

/** Return a subscription under the site's current key; make one, or replace one under an older key. */
async function currentSubscription(manager, key) {
  const old = await manager.getSubscription();
  if (old && base64url(old.options.applicationServerKey) === key) return old;
  await old?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function base64url(buffer) {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer ?? new ArrayBuffer(0))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
