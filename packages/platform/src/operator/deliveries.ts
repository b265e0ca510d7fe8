import {
  checkPeriod,
  type DeliveryPage,
  type DeliveryState,
  listDeliveries,
  type RangeReplay,
  type ReplayedPage,
  replayEvent,
  replayRange,
} from '../events/index.ts'
import { commit } from '../http/index.ts'
import { OperatorError } from '../runtime/index.ts'
import { type Database, staleReads } from '../storage/index.ts'
import { chooseAccount } from './accounts.ts'
import { inTermsOfCommand, type OperatorServices, recordCommand, toOperatorError } from './operator-services.ts'
import { findEndpoint } from './webhooks.ts'

/** `account` may be omitted if there is only one, or if the endpoint determines it. */
interface Whose {
  account?: string
  endpoint?: string
}

/** The filters of deliveries to list. */
export interface WantedDeliveries extends Whose {
  /** `failed` are the dead letters. */
  state?: DeliveryState
  /** 1 to 100, 20 unless given. */
  limit?: number
  /** The `nextCursor` of the page before. */
  after?: string
}

/** An event to be sent again: to the endpoint, or without one to all that want it. */
export interface WantedReplay extends Whose {
  event: string
}

/** The events of a time to be sent again to an endpoint. */
export type WantedRange = Omit<RangeReplay, 'accountId' | 'endpointId'> & { endpoint: string }

/** An event that is on its way again. */
export interface ReplayedEvent {
  accountId: string
  eventId: string
  /** Empty if no endpoint wants the event. */
  endpointIds: string[]
}

/** Operator commands for webhook deliveries. A running platform sends replayed events within a second. */
export interface DeliveryManagement {
  /** Lists the deliveries of the newest events first, including those of removed endpoints. */
  list(wanted: WantedDeliveries): Promise<DeliveryPage>
  /** Under the same `webhook-id`, with all tries before it. */
  replay(wanted: WantedReplay): Promise<ReplayedEvent>
  /**
   * Replays page by page, oldest first, and stops when the caller stops reading; pass the last page's `after` to
   * resume.
   */
  replayRange(wanted: WantedRange): AsyncGenerator<ReplayedPage, void, void>
}

export function manageDeliveries(services: OperatorServices): DeliveryManagement {
  const { db, clock } = services
  /** Sent once more, nothing of the account is changed; the request for it is worth an entry all the same. */
  async function note(accountId: string, id: string | null, after: object): Promise<void> {
    const change = { accountId, operation: 'deliveries.replay', resource: { type: 'event', id }, after }
    await commit(recordCommand(change, services), services)
  }
  return {
    async list({ account, endpoint, ...wanted }) {
      const found = endpoint === undefined ? null : await findEndpoint(db, endpoint)
      const accountId = await chooseAccount(db, account ?? found?.accountId)
      const filter = { ...wanted, accountId, ...(endpoint !== undefined && { endpointId: endpoint }) }
      return listDeliveries(staleReads(db), filter).catch(rethrow)
    },
    async replay({ event, account, endpoint }) {
      const accountId =
        endpoint === undefined ? await chooseAccount(db, account) : await accountOf(db, endpoint, account)
      await requireEvent(db, accountId, event)
      const replay = { accountId, eventId: event, ...(endpoint !== undefined && { endpointId: endpoint }) }
      const endpointIds = await replayEvent(db, replay, clock.now()).catch(rethrow)
      await note(accountId, event, { endpointIds })
      return { accountId, eventId: event, endpointIds }
    },
    async *replayRange({ endpoint, ...range }) {
      inTermsOfCommand(() => checkPeriod(range))
      const accountId = await accountOf(db, endpoint)
      await note(accountId, null, { endpointId: endpoint, ...range })
      try {
        yield* replayRange(db, { ...range, accountId, endpointId: endpoint }, () => clock.now())
      } catch (error) {
        rethrow(error)
      }
    },
  }
}

function rethrow(error: unknown): never {
  throw toOperatorError(error)
}

/** The account of an endpoint, which has to be the named one where one is named. */
async function accountOf(db: Database, endpoint: string, account?: string): Promise<string> {
  const found = await findEndpoint(db, endpoint)
  if (found !== null && (account === undefined || account === found.accountId)) return found.accountId
  const where = account === undefined ? '' : ` in the account ${account}`
  throw new OperatorError(
    `--endpoint: there is no endpoint '${endpoint}'${where}; "tillwright webhooks list" shows those there are.`,
  )
}

async function requireEvent(db: Database, accountId: string, event: string): Promise<void> {
  const rows = await db.read('SELECT id FROM events WHERE account_id = ? AND id = ?', [accountId, event])
  if (rows.length > 0) return
  throw new OperatorError(
    `The account ${accountId} has no event '${event}'; "tillwright webhooks deliveries" shows the ids of those it sent.`,
  )
}
