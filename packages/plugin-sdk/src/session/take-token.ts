import type { Surroundings } from '../page/surroundings.ts'

/** The name of the part of an address that hands a session over. A fragment is sent to no server and stands in no log. */
export const TOKEN_PART = 'tillwright-session='

/** Takes a session's token out of the page's address; `null` when there is none. */
export function takeToken({ location, history }: Pick<Surroundings, 'location' | 'history'>): string | null {
  const [, token] = /tillwright-session=([^&]+)/.exec(location.href) ?? []
  if (!token) return null
  history.replaceState(history.state, '', location.href.replace(TOKEN_PART + token, '').replace(/[#&]$/, ''))
  return token
}
