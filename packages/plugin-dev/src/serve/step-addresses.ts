import type { Plugin } from '@tillwright/plugin-build'
import { stepIdOf } from '../binding/steps-of.ts'
import { pageAddress } from './page-address.ts'

/**
 * Writes into a session, as the platform answers it, where its steps are shown here: hosted pages are told the addresses
 * of their deployments, of which a plugin that is being written has none.
 *
 * @param text JSON; anything else stays as it is.
 * @param origin The origin of this server's pages.
 */
export function withStepAddresses(text: string, { pages }: Pick<Plugin, 'pages'>, origin: string): string {
  const answer = parsed(text)
  const session = [answer, Object(answer)['session']].find((each) => Object(each)['sessionId'] !== undefined)
  if (session === undefined) return text
  const orderId: unknown = Object(Object(session)['payment'])['orderId']
  const params = typeof orderId === 'string' ? { orderId } : {}
  const addresses = new Map(pages.map((page) => [stepIdOf(page.id), origin + pageAddress(page, params)]))
  for (const name of ['step', 'nextStep']) {
    const step = Object(session)[name]
    const url = addresses.get(Object(step)['id'])
    if (url !== undefined) step.url = url
  }
  return JSON.stringify(answer)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
