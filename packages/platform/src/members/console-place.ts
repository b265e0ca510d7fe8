/** Where the console is, the API's own origin, and how long it waits. Cookies and passkeys are bound to its host. */
export interface ConsolePlace {
  /** Such as `https://api.shop.example`. */
  origin: string
  /** The host, which is the id of the relying party of passkeys. */
  rpId: string
  isSecure: boolean
  /** How long a session lasts without a request of its member, in milliseconds. */
  idleMs: number
}

/** The place of the console of a platform whose API is reached by this address. */
export function consolePlace(apiUrl: string, idleMs: number): ConsolePlace {
  const { origin, hostname, protocol } = new URL(apiUrl)
  return { origin, rpId: hostname, isSecure: protocol === 'https:', idleMs }
}

/** `session`: of a signed-in member. `ceremony`: of a sign-in that has begun. */
type Cookie = 'session' | 'ceremony'

const names: Readonly<Record<Cookie, string>> = { session: 'tillwright_console', ceremony: 'tillwright_ceremony' }

/**
 * The name of a cookie. With `__Host-`, browsers take it from this very host over HTTPS alone, so that no other host of the
 * site can plant one.
 */
function nameOf(cookie: Cookie, { isSecure }: ConsolePlace): string {
  return `${isSecure ? '__Host-' : ''}${names[cookie]}`
}

/** The `Set-Cookie` that gives a browser a value; without one, that takes it away. */
export function setCookie(cookie: Cookie, value: string | null, place: ConsolePlace): string {
  const attributes = ['Path=/', 'HttpOnly', `SameSite=${cookie === 'session' ? 'Strict' : 'Lax'}`]
  return [
    `${nameOf(cookie, place)}=${value ?? ''}`,
    ...attributes,
    ...(place.isSecure ? ['Secure'] : []),
    ...(value === null ? ['Max-Age=0'] : []),
  ].join('; ')
}

/**
 * Reads a cookie from a header.
 *
 * @returns `null` when it is absent, and when it was sent twice: one of the two was planted.
 */
export function readCookie(cookie: Cookie, header: string | undefined, place: ConsolePlace): string | null {
  const name = `${nameOf(cookie, place)}=`
  const found = (header ?? '').split(/; */).filter((pair) => pair.startsWith(name))
  const [only, another] = found
  return only === undefined || another !== undefined ? null : only.slice(name.length)
}
