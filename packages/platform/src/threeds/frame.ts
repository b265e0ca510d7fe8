import type { Contract, ThreedsStart } from '@tillwright/contract'
import { withoutErrors } from '../ledger/index.ts'
import type { RequestContext, Handlers, Reply } from '../request-context.ts'
import { readCard } from '../vault/index.ts'
import { authenticateInBrowser } from './authenticate.ts'
import { notificationUrl } from './emv-request.ts'
import { type BrowserSession, openSession, sessionIdOf } from './open-session.ts'
import { endSession, moveSession, sessionConflict } from './outcome.ts'
import { requireProvider } from './provider.ts'
import { isDecoupled, isFinal, standingOf, statusAt } from './status.ts'
import { resultOf, stepOf } from './step.ts'
import type { ThreedsServer } from './threeds-server.ts'

/** How long a request may wait for a session to get on. */
const WAIT_MS = 20_000

/**
 * What the 3-D Secure frame in the buyer's browser asks for. Where several tabs or reloads ask for the same, one does the
 * work and the others are answered what came of it.
 */
export function threedsFrame(server: ThreedsServer): Handlers<Contract['threedsFrame']> {
  /** The session as soon as it is as wanted, or as it is after the longest wait. */
  const waitFor = (actionToken: string, isDone: (session: BrowserSession, nowMs: number) => boolean, call: RequestContext) => {
    const now = () => call.services.clock.now()
    return server.watch.first({
      sessionId: sessionIdOf(actionToken, call),
      read: () => openSession(actionToken, { ...call, nowMs: now() }),
      isDone: (session) => isDone(session, now()),
      untilMs: call.nowMs + WAIT_MS,
    })
  }

  return {
    async start({ body }, call) {
      const session = await openSession(body.actionToken, call)
      const status = statusAt(session, call.nowMs)
      if (status !== 'created' && status !== 'method_pending') return { body: { status, method: null } }
      return startMethod(session, server, call)
    },

    async authenticate({ body }, call) {
      const isFree = (session: BrowserSession, nowMs: number) =>
        standingOf(session, nowMs) !== 'busy' || isAskedElsewhere(session)
      const session = await waitFor(body.actionToken, isFree, call)
      const nowMs = call.services.clock.now()
      switch (standingOf(session, nowMs)) {
        case 'ready':
          return authenticateInBrowser(body, { session, server }, { ...call, nowMs })
        case 'busy':
          if (isAskedElsewhere(session)) return { body: stepOf(session, nowMs) }
          throw sessionConflict(session.id, 'is being authenticated by another request; ask again')
        case 'lapsed':
        case 'over':
          return { body: stepOf(session, nowMs) }
      }
    },

    async result({ body }, call) {
      const hasEnded = (session: BrowserSession, nowMs: number) => isFinal(statusAt(session, nowMs))
      const session = await waitFor(body.actionToken, hasEnded, call)
      return { body: resultOf(session, call.services.clock.now()) }
    },

    async cancel({ body }, call) {
      const session = await openSession(body.actionToken, call)
      if (isFinal(statusAt(session, call.nowMs))) return { body: resultOf(session, call.nowMs) }
      await call.begin(withoutErrors(endSession(session, 'cancelled', call)))
      server.watch.changed(session.id)
      return { body: resultOf({ ...session, status: 'cancelled' }, call.nowMs) }
    },
  }
}

function isAskedElsewhere({ authentication }: BrowserSession): boolean {
  return authentication !== null && isDecoupled(authentication)
}

async function startMethod(
  session: BrowserSession,
  { providers, vaultUrl }: ThreedsServer,
  call: RequestContext,
): Promise<Reply<ThreedsStart>> {
  const { id, accountId, externalSessionId, status, methodNotifiedAtMs } = session
  const url = methodNotifiedAtMs === null ? await methodUrlOf(session, { providers, call }) : null
  if (url === null) return { body: { status, method: null } }
  const data = {
    threeDSMethodNotificationURL: notificationUrl('method', externalSessionId, vaultUrl),
    threeDSServerTransID: externalSessionId,
  }
  const moved =
    status === 'created' ? [moveSession(session, { to: 'method_pending', leaseUntilMs: 0 }, call.nowMs)] : []
  return {
    body: {
      status: 'method_pending',
      method: { url, data: Buffer.from(JSON.stringify(data)).toString('base64url') },
    },
    writes: withoutErrors([
      ...moved,
      {
        sql: `UPDATE threeds_sessions SET method_started_at = ?
          WHERE account_id = ? AND id = ? AND status = 'method_pending'`,
        params: [call.nowMs, accountId, id],
        expect: 1,
      },
    ]),
  }
}

/** A provider that cannot tell has none: the authentication goes on without. */
async function methodUrlOf(
  session: BrowserSession,
  { providers, call: { services } }: { providers: ThreedsServer['providers']; call: RequestContext },
): Promise<string | null> {
  const provider = await requireProvider(session.provider, providers)
  const { number, brand } = await readCard(session.cardId, session.accountId, services)
  try {
    return await provider.methodUrl({ number, brand })
  } catch (error) {
    services.log.warn({ err: error, sessionId: session.id }, 'a 3-D Secure provider could not name a method page')
    return null
  }
}
