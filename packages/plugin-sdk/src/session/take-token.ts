import type { Surroundings } from '../page/surroundings.ts'

/** The name of the part of an address that hands a session over. A fragment is sent to no server and stands in no log. */
export const TOKEN_PART = 'tillwright-session'

/** Takes a session's token out of the page's address; `null` when there is none. */
export function takeToken(around: Pick<Surroundings, 'address' | 'replaceAddress'>): string | null {
  const url = new URL(around.address())
  const parts = url.hash.slice(1).split('&')
  const token = parts.find((part) => part.startsWith(`${TOKEN_PART}=`))
  if (token === undefined) return null
  url.hash = parts.filter((part) => part !== token).join('&')
  around.replaceAddress(url.href)
  return token.slice(TOKEN_PART.length + 1)
}
