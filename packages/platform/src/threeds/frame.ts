import type { Contract, ThreedsStart } from '@tillwright/contract'
import { withoutErrors } from '../ledger/index.ts'
import type { Handlers, Reply, RequestContext } from '../request-context.ts'
import { readCard } from '../vault/index.ts'
import { authenticateInBrowser } from './authenticate.ts'
import { notificationUrl } from './emv-request.ts'
import { endSession, moveSession, sessionConflict } from './outcome.ts'
import { type BrowserSession, openSession, requireProvider, sessionIdOf } from './provider.ts'
import { isDecoupled, isFinal, standingOf, statusAt } from './status.ts'
import { resultOf, stepOf } from './step.ts'
import type { ThreedsServer } from './threeds-server.ts'

/** How long a request may wait for a session to get on: less than a balancer waits for an answer. */
const WAIT_MS = 8_000

/**
 * Handlers for the requests of the 3-D Secure frame in the buyer's browser. Where several tabs or reloads ask for the
 * same thing, one does the work and the others get its result.
 */
export function threedsFrame(server: ThreedsServer): Handlers<Contract['threedsFrame']> {
  /** The session as soon as it is as wanted, or as it is after the longest wait. */
  const waitFor = (
    actionToken: string,
    isDone: (session: BrowserSession, nowMs: number) => boolean,
    context: RequestContext,
  ) => {
    const now = () => context.services.clock.now()
    return server.watch.first({
      sessionId: sessionIdOf(actionToken, context),
      read: () => openSession(actionToken, { ...context, nowMs: now() }),
      isDone: (session) => isDone(session, now()),
      untilMs: context.nowMs + WAIT_MS,
    })
  }

  return {
    async start({ body }, context) {
      const session = await openSession(body.actionToken, context)
      const status = statusAt(session, context.nowMs)
      if (status !== 'created' && status !== 'method_pending') return { body: { status, method: null } }
      return startMethod(session, server, context)
    },

    async authenticate({ body }, context) {
      const isFree = (session: BrowserSession, nowMs: number) =>
        standingOf(session, nowMs) !== 'busy' || isAskedElsewhere(session)
      const session = await waitFor(body.actionToken, isFree, context)
      const nowMs = context.services.clock.now()
      switch (standingOf(session, nowMs)) {
        case 'ready':
          return authenticateInBrowser(body, { session, server }, { ...context, nowMs })
        case 'busy':
          if (isAskedElsewhere(session)) return { body: stepOf(session, nowMs) }
          throw sessionConflict(session.id, 'is being authenticated by another request; ask again')
        case 'lapsed':
        case 'over':
          return { body: stepOf(session, nowMs) }
      }
    },

    async result({ body }, context) {
      const hasEnded = (session: BrowserSession, nowMs: number) => isFinal(statusAt(session, nowMs))
      const session = await waitFor(body.actionToken, hasEnded, context)
      return { body: resultOf(session, context.services.clock.now()) }
    },

    async cancel({ body }, context) {
      const session = await openSession(body.actionToken, context)
      if (isFinal(statusAt(session, context.nowMs))) return { body: resultOf(session, context.nowMs) }
      const change = { resource: { type: 'threedsSession', id: session.id }, before: { status: session.status } }
      await context.begin(withoutErrors(endSession(session, 'cancelled', context)), change)
      server.watch.changed(session.id)
      return { body: resultOf({ ...session, status: 'cancelled' }, context.nowMs) }
    },
  }
}

function isAskedElsewhere({ authentication }: BrowserSession): boolean {
  return authentication !== null && isDecoupled(authentication)
}

async function startMethod(
  session: BrowserSession,
  { providers, vaultUrl }: ThreedsServer,
  context: RequestContext,
): Promise<Reply<ThreedsStart>> {
  const { id, accountId, externalSessionId, status, methodNotifiedAtMs } = session
  const url = methodNotifiedAtMs === null ? await methodUrlOf(session, { providers, context }) : null
  if (url === null) return { body: { status, method: null } }
  const data = {
    threeDSMethodNotificationURL: notificationUrl('method', externalSessionId, vaultUrl),
    threeDSServerTransID: externalSessionId,
  }
  const moved =
    status === 'created' ? [moveSession(session, { to: 'method_pending', leaseUntilMs: 0 }, context.nowMs)] : []
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
        params: [context.nowMs, accountId, id],
        expect: 1,
      },
    ]),
    change: { resource: { type: 'threedsSession', id }, before: { status }, after: { status: 'method_pending' } },
  }
}

/** A provider that cannot tell has none: the authentication goes on without. */
async function methodUrlOf(
  session: BrowserSession,
  { providers, context: { services } }: { providers: ThreedsServer['providers']; context: RequestContext },
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
