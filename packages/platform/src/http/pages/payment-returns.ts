import { emitterAt } from '../../events/index.ts'
import { emitterOf, readPayment } from '../../ledger/index.ts'
import { commitOutcome, completeAwaited, readReturn, RETURN_PATH } from '../../payments/index.ts'
import type { Charging } from '../../routing/index.ts'
import { ApiError } from '../../runtime/index.ts'
import { type App, plainFailure, type HttpContext, clientAddress, type ServerContext } from '../operations/index.ts'

/** More is no parameter of a processor's. */
const PARAMETERS_MAX = 32
const PARAMETER_MAX_CHARS = 8_192

/**
 * The page that buyers return to from a method's page. The processor is asked for the payment's outcome, and the buyer
 * goes on to the shop whatever that is: a bank that does not know yet says so later.
 */
export function routePaymentReturns(app: App, serverContext: ServerContext, charging: Charging): void {
  app.get(`${RETURN_PATH}/:token`, async (c) => {
    try {
      const { allowed, retryAfterS } = await serverContext.frameLimits.takePage(
        clientAddress(c.env.incoming, serverContext.trustedProxies),
      )
      if (!allowed) return c.text('Too many pages were loaded from here.', 429, { 'Retry-After': String(retryAfterS) })
      return await goOn(c, charging)
    } catch (error) {
      if (error instanceof ApiError) return plainFailure(error, serverContext)
      throw error
    }
  })
}

async function goOn(c: HttpContext, charging: Charging): Promise<Response> {
  const { services } = charging
  const returning = readReturn(c.req.param('token') ?? '', services.secrets)
  if (returning === null) return c.notFound()
  const payment = await readPayment(returning.paymentId, returning.accountId, services.db)
  if (payment === null || payment.returnUrl === null) return c.notFound()
  if (payment.expiresAt !== null) {
    const emitter = emitterOf(payment, emitterAt(payment.accountId, services))
    const reply = await completeAwaited(payment, parametersOf(c.req.url), { emitter, charging })
    await commitOutcome(payment, reply, charging)
  }
  const url = new URL(payment.returnUrl)
  url.searchParams.set('paymentId', payment.id)
  return c.redirect(url.href, 303)
}

function parametersOf(url: string): Record<string, string> {
  const sent = [...new URL(url).searchParams].slice(0, PARAMETERS_MAX)
  return Object.fromEntries(sent.filter(([, value]) => value.length <= PARAMETER_MAX_CHARS))
}
