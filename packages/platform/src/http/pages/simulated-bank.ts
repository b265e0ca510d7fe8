import { contract } from '@tillwright/contract'
import { ApiError } from '../../runtime/index.ts'
import type { BankAnswer, SimulatedBank } from '../../threeds/index.ts'
import { type App, plainFailure, toApiError, type HttpContext, type ServerContext } from '../operations/index.ts'
import { readWithin, parseJson, readBody } from '../bodies/index.ts'

/** The most that a browser posts to a bank: a request for a challenge with what the shop wants back. */
const FORM_MAX_BYTES = 65_536

/** Serves the simulated bank under `/acs`. An error is no more than a message: the page around has to do without the bank. */
export function routeSimulatedBank(app: App, bank: Pick<SimulatedBank, 'answer'>, serverContext: ServerContext): void {
  app.on(['GET', 'POST'], '/acs/*', async (c, next) => {
    try {
      const answer = await bank.answer(requestOf(c, serverContext))
      return answer === null ? await next() : respond(answer)
    } catch (thrown) {
      const error = toApiError(thrown)
      if (error.status >= 500)
        serverContext.services.log.error({ err: error.details.cause ?? error }, 'the simulated bank failed')
      return plainFailure(error, serverContext)
    }
  })
}

function requestOf(c: HttpContext, serverContext: ServerContext): Parameters<SimulatedBank['answer']>[0] {
  const { incoming } = c.env
  const address = incoming.socket.remoteAddress ?? ''
  const body = () => readWithin(serverContext.bodies, address, (room) => readBody(incoming, FORM_MAX_BYTES, room))
  return {
    method: c.req.method,
    path: c.req.path,
    acceptsHtml: c.req.header('accept')?.includes('text/html') === true,
    acceptLanguage: c.req.header('accept-language') ?? '',
    query: new URL(c.req.url).search.slice(1),
    text: async () => (await body()).toString(),
    json: async () => parseJson(await body()),
    async accountOf() {
      const { headers, url = '' } = incoming
      const { authorization, origin } = headers
      const caller = await serverContext.authenticate(contract.threeds.authenticate, { authorization, origin, url })
      return caller.accountId
    },
  }
}

/** @throws {ApiError} What the bank refuses, in the platform's words. */
function respond(answer: BankAnswer): Response {
  if ('body' in answer) return new Response(answer.body, { status: answer.status, headers: answer.headers })
  const { refused, message, param } = answer
  throw new ApiError(refused, message, param === undefined ? {} : { param })
}
