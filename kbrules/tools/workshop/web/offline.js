// All files of the page are kept when it is first opened; a new version replaces them. Caches belong to the
// whole origin, so each is named by the address of its page: others, also those below it, are left alone.
const OWN = `kbrules ${self.registration.scope} `;
const VERSION = `${OWN}{version}`;
const FILES = ["{files}"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith(OWN) && name !== VERSION));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

addEventListener("fetch", (event) => {
  event.respondWith(caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((kept) => kept ?? fetch(event.request)));
});
