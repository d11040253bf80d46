// The service worker keeps one page, for navigations without a connection, and its files. All other
// answers come from the network, so no page is ever stale. It also shows pushed notices
// (accounts/notices/) and opens their pages.

const { cache: CACHE, page: PAGE, files: FILES, icon: ICON } = {{ worker }};

/**
 * Keep the page and its files. Where the browser refuses to store them, the worker still shows
 * notices. After a failed download (a TypeError) the installation fails: the next page tries again.
 */
async function keep() {
  try {
    const cache = await caches.open(CACHE);
    await cache.addAll([new Request(PAGE, { cache: "reload", credentials: "omit" }), ...FILES]);
  } catch (error) {
    if (error instanceof TypeError) throw error;
  }
  await self.skipWaiting();
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

const kept = async (url) => (await (await caches.open(CACHE)).match(url)) ?? Response.error();
const fetchOrKept = (request, url) => fetch(request).catch(() => kept(url));

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(fetchOrKept(request, PAGE));
  else if (url.origin === location.origin && FILES.includes(url.pathname)) event.respondWith(fetchOrKept(request, request.url));
});

/** Show a notice; it replaces an earlier one with the same tag. */
function show({ title, body, tag, path, lang }) {
  return self.registration.showNotification(title, { body, tag, lang, icon: ICON, badge: ICON, data: { path } });
}

/** Open a path of this site: in the tab that shows it already, else in a new one. */
async function open(path) {
  const url = new URL(path, location.origin);
  if (url.origin !== location.origin) return;
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = tabs.find((tab) => new URL(tab.url).pathname === url.pathname);
  await (there ? there.focus() : self.clients.openWindow(url.href));
}

self.addEventListener("push", (event) => event.waitUntil(show(event.data.json())));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});
