/** How long the issuer's method page may take. Source: EMV 3DS 2.2.0, 3DS Method: 10 seconds. */
export const METHOD_TIMEOUT_MS = 10_000

/** What is on record of the issuer's method page of a session: `null` for what has not happened. */
export interface MethodRecord {
  methodStartedAtMs: number | null
  methodNotifiedAtMs: number | null
}

/**
 * Whether the issuer's method page has run to its end: `Y` when its notification came in time, `N` when it did not, `U`
 * when there was none to run. It is told by our own record alone: what the shop's page says may be anybody's word.
 */
export function methodCompletion({ methodStartedAtMs, methodNotifiedAtMs }: MethodRecord): 'Y' | 'N' | 'U' {
  if (methodStartedAtMs === null) return 'U'
  if (methodNotifiedAtMs === null) return 'N'
  return methodNotifiedAtMs - methodStartedAtMs <= METHOD_TIMEOUT_MS ? 'Y' : 'N'
}
