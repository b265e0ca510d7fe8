import { pageHeaders } from './page-policy.ts'

/**
 * A host of plugins shows one version today and another tomorrow, and a service worker of the first would go on answering
 * for the second. So whoever asks for a service worker's script, for the first time or for news of one from before, is
 * given this one: it takes the place of any other at once, answers nothing, and takes itself away. What pages have stored
 * stays, for a host keeps its buyers when its version changes.
 */
export const withoutServiceWorker = {
  headers: {
    ...pageHeaders,
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'",
    // One from before may be for more than its own folder, and is replaced by a script for as much alone.
    'Service-Worker-Allowed': '/',
  },
  body: `// Service workers do not work on pages of plugins: this one removes itself, and any before it.
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.registration.unregister()))
`,
} as const

/**
 * Whether a request is for the script of a service worker, which browsers say by themselves.
 *
 * @param header The request's `Service-Worker`. Source: Service Workers, "Service-Worker" header.
 */
export function asksForServiceWorker(header: string | undefined): boolean {
  return header?.trim().toLowerCase() === 'script'
}
