import type { BuyerSession, LineRef, SessionOrder, WantedLine } from '../api.ts'
import type { PageData } from '../page-data.ts'
import { createStore, type Store } from '../store.ts'
import type { Environment } from '../environment.ts'
import { TillwrightError } from '../tillwright-error.ts'

/** The session's state in the page, and in its tab. */
export interface SessionRecord {
  state: Store<SessionState>
  kept: Store<KeptSession>
  /** Adopts a session's token, by default the one stored in the tab. What the tab knows about that session is kept. */
  adopt(token?: string | null): void
  /** Adopts the token that a code was redeemed for. */
  takeOver(token: string, sessionId: string): void
  /** Records the session as returned by the platform. */
  show(answer: unknown): BuyerSession
  keep(change: Partial<KeptSession>): void
  /** Discards the session. */
  forget(): void
  update(change: Partial<SessionState>): void
  /** Records a refusal or a missing response. */
  fail(error: unknown): void
}

/** Creates an empty record. */
export function recordSession(data: Store<PageData>, env: Environment): SessionRecord {
  const key = keyOf(data.get())
  const state = createStore<SessionState>({ status: 'starting', view: null, isBusy: false, error: null })
  const kept = createStore(unknownSession(''))
  /** Whether this tab sees the session for the first time, so that its order was placed elsewhere. */
  let isNew = true
  kept.subscribe(() => env.storage?.setItem(key, JSON.stringify(kept.get())))

  const record: SessionRecord = {
    state,
    kept,
    adopt(given) {
      const known = readKept(key, env)
      const token = given ?? known.token
      isNew = known.token !== token
      kept.set(isNew ? { ...unknownSession(token), isPreview: !!data.get().session?.isPreview } : known)
    },
    takeOver(token, sessionId) {
      const known = kept.get()
      // Back from another origin, this tab still has the session's receipts.
      const before = known.sessionId === sessionId ? known : unknownSession('')
      kept.set({ ...before, token, handed: null, wentTo: '' })
      isNew = true
    },
    show(answer) {
      const view = answer as BuyerSession // validated by the platform
      const { order, isPreview, sessionId } = view
      const known = kept.get()
      const isPlaced = hasPlaced(view)
      const isUnseen = known.receipts.every((receipt) => receipt.order.id !== order.id)
      const stepId = isNew ? null : (view.step?.id ?? null)
      record.keep({
        sessionId,
        isPreview,
        // Unconfirmed lines are not carried over to another session.
        lines: isPlaced || view.broughtAlong ? [] : wantedLines(order),
        currency: order.currency,
        receipts: isPlaced && isUnseen ? [...known.receipts, { stepId, order }] : known.receipts,
      })
      isNew = false
      record.update({ status: 'ready', view, error: null })
      return view
    },
    keep: (change) => kept.set({ ...kept.get(), ...change }),
    forget() {
      kept.set(unknownSession(''))
      record.update({ status: 'starting', view: null })
    },
    update: (change) => state.set({ ...state.get(), ...change }),
    fail(error) {
      if (!(error instanceof TillwrightError) || /expired|moved/.test(state.get().status)) return
      if (state.get().view && error.status) record.update({ status: 'ready', error: null })
      else record.update({ status: error.status ? 'failed' : 'offline', error })
    },
  }
  return record
}

/** Whether the order is placed, so that new lines start the next one. */
export function hasPlaced({ order }: Pick<BuyerSession, 'order'>): boolean {
  return order.id !== null && order.status !== 'pending'
}

/** An order placed in the session, and its step; `null` if not known. */
export interface Receipt {
  stepId: string | null
  order: SessionOrder
}

/** The session's state in the tab, without personal data. */
export interface KeptSession {
  /** Authenticates the session; empty before there is one. */
  token: string
  /** Empty until known. */
  sessionId: string
  /** A code that is still to be redeemed, and the `Idempotency-Key` for it, which survives a reload; or `null`. */
  handed: { code: string; key: string } | null
  /** The page on another origin that the session was handed over to; empty if none. */
  wentTo: string
  isPreview: boolean
  /** The cart, to restore it in another session when this one has expired. */
  lines: readonly WantedLine[]
  currency: string
  receipts: readonly Receipt[]
}

/** A session of which only the token is known. */
function unknownSession(token: string): KeptSession {
  return { token, sessionId: '', handed: null, wentTo: '', isPreview: false, lines: [], currency: '', receipts: [] }
}

/** The storage key of the tab's session: one per store and funnel. */
function keyOf({ storeId, funnel }: Pick<PageData, 'storeId' | 'funnel'>): string {
  return `tillwright:${storeId}:${funnel?.id ?? ''}`
}

/** The session stored in the tab, or one without a token. */
function readKept(key: string, { storage }: Pick<Environment, 'storage'>): KeptSession {
  try {
    return { ...unknownSession(''), ...JSON.parse(storage?.getItem(key) ?? '') }
  } catch {
    return unknownSession('') // nothing is stored, or something invalid
  }
}

/** The storage key of the token for the next document on the same origin. */
export const NEXT_TOKEN_KEY = 'tillwright-next'

/** The lines of an order as requests, without gifts. */
export function wantedLines({ lines }: Pick<SessionOrder, 'lines'>): WantedLine[] {
  return lines
    .filter(({ promotionId }) => promotionId === null)
    .map(({ variantId, priceId, quantity }) => ({ variantId, priceId, quantity }))
}

/** Whether two references mean the same line. One without a price matches any price. */
export function isSameLine(one: LineRef, other: LineRef): boolean {
  return one.variantId === other.variantId && (!one.priceId || !other.priceId || one.priceId === other.priceId)
}

/** The state of the session in this page. */
export interface SessionState {
  /**
   * `offline`: the platform does not respond, and the page keeps trying. `expired`: a preview is over and cannot be
   * renewed; a buyer's session restarts by itself. `moved`: the session was handed over and continues in another page;
   * `startOver()` creates another one here. `failed`: it could not start.
   */
  status: 'starting' | 'ready' | 'offline' | 'expired' | 'moved' | 'failed'
  /** The platform's last response; `null` until the session has started. It is kept while the page is offline. */
  view: BuyerSession | null
  /** Whether a change is in progress. */
  isBusy: boolean
  /** Why it is offline, expired, moved or failed; otherwise `null`. */
  error: TillwrightError | null
}

/** The context of calls. */
export interface CallContext {
  data: Store<PageData>
  env: Environment
  record: SessionRecord
  /** The step in the page's address; empty if none. */
  wantedStepId: string
}
