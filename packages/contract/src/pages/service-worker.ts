import { pageHeaders } from './page-policy.ts'

/**
 * A plugin host may serve another version tomorrow, and a service worker of the old version would keep answering for
 * the new one. So every request for a service worker's script, new or update, gets this one: it replaces any other at
 * once, answers nothing, and unregisters itself. Data stored by pages is kept, because a host keeps its buyers when its
 * version changes.
 */
export const withoutServiceWorker = {
  headers: {
    ...pageHeaders,
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'",
    // An old worker may cover more than its own folder, and is only replaced by a script with the same scope.
    'Service-Worker-Allowed': '/',
  },
  body: `// Service workers do not work on plugin pages: this one removes itself, and any previous one.
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.registration.unregister()))
`,
} as const

/**
 * Whether a request is for the script of a service worker; browsers mark such requests.
 *
 * @param header The request's `Service-Worker`. Source: Service Workers, "Service-Worker" header.
 */
export function asksForServiceWorker(header: string | undefined): boolean {
  return header?.trim().toLowerCase() === 'script'
}
