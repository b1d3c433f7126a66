/**
 * The service worker of the pages: it says that a table waits, and that there is no network. It keeps the
 * page that says so and nothing else, since code that is kept would be older than its service one day.
 */

const worker = /** @type {any} */ (self);
const OFFLINE = "{{offline}}"; // the address of that page, with its hash
const KEPT = "phaseledger.offline ";

worker.addEventListener("install", (/** @type {any} */ event) => {
  const stored = caches.open(KEPT + OFFLINE).then((cache) => cache.add(OFFLINE));
  event.waitUntil(stored.then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(activated());
});

async function activated() {
  for (const name of await caches.keys()) {
    if (name.startsWith(KEPT) && name !== KEPT + OFFLINE) await caches.delete(name);
  }
  await worker.registration.navigationPreload?.enable(); // the network does not wait for this worker
  await worker.clients.claim();
}

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.mode === "navigate") event.respondWith(navigated(event));
});

/** @param {any} event */
async function navigated(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}

worker.addEventListener("push", (/** @type {any} */ event) => {
  if (!event.data) return; // sent by none of our services
  const { game, title, body } = event.data.json();
  const data = new URL(`g/${game}`, worker.location.href).href;
  const icon = new URL("icon.png", worker.location.href).href;
  const options = { body, icon, data, tag: game, renotify: true };
  event.waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(opened(event.notification.data));
});

/** Show the table: in the window that has it, if there is one. @param {string} address */
async function opened(address) {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((/** @type {{ url: string }} */ { url }) => url.split(/[?#]/)[0] === address);
  await (there ? there.focus() : worker.clients.openWindow(address));
}
