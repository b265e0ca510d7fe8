import type { SimulatedWallets } from '../../vault/index.ts'
import type { App, ServerContext } from '../operations/index.ts'
import { readWithin, readBody } from '../bodies/index.ts'

/** Where the vault's origin serves simulated wallets: pages with a checkout may load scripts from there anyway. */
export const SIMULATED_WALLETS = '/v1/simulated-wallets'

/** A sheet posts about 100 bytes. */
const APPROVAL_MAX_BYTES = 4_096

const forPages = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** Serves the script of the simulated wallets, and the tokens of their sheets. */
export function routeSimulatedWallets(
  app: App,
  { script, makeToken }: SimulatedWallets,
  { bodies, services: { clock } }: ServerContext,
): void {
  app.get(`${SIMULATED_WALLETS}.js`, (c) =>
    c.body(script, 200, { ...forPages, 'Content-Type': 'text/javascript; charset=utf-8' }),
  )
  app.post(`${SIMULATED_WALLETS}/tokens`, async (c) => {
    const { incoming } = c.env
    const address = incoming.socket.remoteAddress ?? ''
    const text = await readWithin(bodies, address, (room) => readBody(incoming, APPROVAL_MAX_BYTES, room))
    const token = await makeToken(text.toString(), clock.now())
    return token === null
      ? c.text('This is not what a simulated sheet posts.', 400, forPages)
      : c.text(token, 200, forPages)
  })
}
