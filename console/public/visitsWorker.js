// Answers the pages of visits, and the program that draws them, from what `keepPages.ts` keeps.
const KEPT = 'wayside-visits'
const PAGE = '/visits'
/** A network that is hardly there is worse than none: what is kept is shown instead. */
const PAGE_WITHIN_MS = 5_000

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && (pathname === PAGE || pathname.startsWith(`${PAGE}/`))) {
    event.respondWith(soon(request).catch(() => kept(PAGE).then((page) => page ?? fetch(request))))
  } else if (pathname.startsWith('/assets/')) {
    // The name of a file says what is in it, so the one that is kept is never old.
    event.respondWith(kept(pathname).then((file) => file ?? fetch(request)))
  } else if (pathname === '/theme.js' || pathname === '/icon.svg') {
    event.respondWith(fetch(request).catch(() => kept(pathname).then((file) => file ?? Response.error())))
  }
})

const soon = (request) =>
  Promise.race([
    fetch(request),
    new Promise((_, reject) => setTimeout(() => reject(new Error('The page does not come.')), PAGE_WITHIN_MS)),
  ])

// Who asks, and in which coding, makes no difference to a file that is kept.
const kept = (path) => caches.match(path, { cacheName: KEPT, ignoreVary: true })
