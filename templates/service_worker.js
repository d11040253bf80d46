// Keeps one page, for navigations without a connection, and the files of that page. Every other
// answer comes from the network, so no page is ever stale.

const { cache: CACHE, page: PAGE, files: FILES } = {{ worker }};

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll([new Request(PAGE, { cache: "reload", credentials: "omit" }), ...FILES]);
  await self.skipWaiting();
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

const kept = async (url) => (await (await caches.open(CACHE)).match(url)) ?? Response.error();
const elseKept = (request, url) => fetch(request).catch(() => kept(url));

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(elseKept(request, PAGE));
  else if (url.origin === location.origin && FILES.includes(url.pathname)) event.respondWith(elseKept(request, request.url));
});
