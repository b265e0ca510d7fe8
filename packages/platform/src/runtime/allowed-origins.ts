/** Stands for every port of a developer's own machine, in the words of a Content-Security-Policy. */
const ANY_PORT = /^https?:\/\/(?:localhost|127\.0\.0\.1):\*$/

/** Whether an entry of a key's origins stands for every port of this machine. Keys of production have none. */
export function isAnyPort(allowed: string): boolean {
  return ANY_PORT.test(allowed)
}

/**
 * Whether a key may stand in pages of an origin.
 *
 * @param allowed Origins as browsers write them, or such as `http://localhost:*`.
 */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.some((each) => each === origin || (isAnyPort(each) && isPortOf(each.slice(0, -2), origin)))
}

function isPortOf(host: string, origin: string): boolean {
  return origin.startsWith(host) && /^(?::\d{1,5})?$/.test(origin.slice(host.length))
}
