import type { BuyerSession, LineRef, SessionOrder, WantedLine } from '../api.ts'
import type { PageData } from '../page-data.ts'
import { createStore, type Store } from '../store.ts'
import type { Surroundings } from '../surroundings.ts'
import { TillwrightError } from '../tillwright-error.ts'

/** The session's state in the page, and in its tab. */
export interface SessionRecord {
  state: Store<SessionState>
  kept: Store<KeptSession>
  /** Takes a session's token, the one that the tab has kept unless given. What the tab knows of that session counts. */
  adopt(token?: string | null): void
  /** Takes the token that a code was redeemed for. */
  takeOver(token: string, sessionId: string): void
  /** Notes the session as the platform has answered it. */
  show(answer: unknown): BuyerSession
  keep(change: Partial<KeptSession>): void
  /** Leaves the session behind. */
  forget(): void
  update(change: Partial<SessionState>): void
  /** Notes that something was refused, or not answered. */
  fail(error: unknown): void
}

/** Makes an empty record. */
export function recordSession(data: Store<PageData>, around: Surroundings): SessionRecord {
  const key = keyOf(data.get())
  const state = createStore<SessionState>({ status: 'starting', view: null, isBusy: false, error: null })
  const kept = createStore(unknownSession(''))
  /** Whether this tab has not seen the session yet, so that an order in it was placed elsewhere. */
  let isNew = true
  kept.subscribe(() => around.storage?.setItem(key, JSON.stringify(kept.get())))

  const record: SessionRecord = {
    state,
    kept,
    adopt(given) {
      const known = readKept(key, around)
      const token = given ?? known.token
      isNew = known.token !== token
      kept.set(isNew ? { ...unknownSession(token), isPreview: !!data.get().session?.isPreview } : known)
    },
    takeOver(token, sessionId) {
      const known = kept.get()
      // Back from another origin, this tab still has the receipts of the session.
      const before = known.sessionId === sessionId ? known : unknownSession('')
      kept.set({ ...before, token, handed: null, wentTo: '' })
      isNew = true
    },
    show(answer) {
      const view = answer as BuyerSession // the platform's own, to a request that has it
      const { order, isPreview, sessionId } = view
      const known = kept.get()
      const isPlaced = hasPlaced(view)
      const isUnseen = known.receipts.every((receipt) => receipt.order.id !== order.id)
      const stepId = isNew ? null : (view.step?.id ?? null)
      record.keep({
        sessionId,
        isPreview,
        // Lines that the buyer has not confirmed are not carried into another session.
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

/** Whether the order is placed, so that new lines open the next one. */
export function hasPlaced({ order }: Pick<BuyerSession, 'order'>): boolean {
  return order.id !== null && order.status !== 'pending'
}

/** An order that was placed in the session, and the step at which; `null` where that is not known. */
export interface Receipt {
  stepId: string | null
  order: SessionOrder
}

/** The session's state in the tab, without personal data. */
export interface KeptSession {
  /** Opens the session; empty before there is one. */
  token: string
  /** Empty before it is known. */
  sessionId: string
  /** A code that has yet to be redeemed, and the `Idempotency-Key` to do so with, also after a reload; or `null`. */
  handed: { code: string; key: string } | null
  /** The page on another origin that the session was handed over to; empty for none. */
  wentTo: string
  isPreview: boolean
  /** The cart, for another session when this one has expired. */
  lines: readonly WantedLine[]
  currency: string
  receipts: readonly Receipt[]
}

/** A session of which nothing is known but its token. */
function unknownSession(token: string): KeptSession {
  return { token, sessionId: '', handed: null, wentTo: '', isPreview: false, lines: [], currency: '', receipts: [] }
}

/** The name that a tab keeps its session under: one for each store and funnel. */
function keyOf({ storeId, funnel }: Pick<PageData, 'storeId' | 'funnel'>): string {
  return `tillwright:${storeId}:${funnel?.id ?? ''}`
}

/** The session that the tab has stored, or one without a token. */
function readKept(key: string, { storage }: Pick<Surroundings, 'storage'>): KeptSession {
  try {
    return { ...unknownSession(''), ...JSON.parse(storage?.getItem(key) ?? '') }
  } catch {
    return unknownSession('') // nothing is stored, or something foreign
  }
}

/** Where a tab keeps the token for the next document of the same origin. */
export const NEXT_TOKEN_KEY = 'tillwright-next'

/** The lines of an order as requests, without gifts. */
export function wantedLines({ lines }: Pick<SessionOrder, 'lines'>): WantedLine[] {
  return lines
    .filter(({ promotionId }) => promotionId === null)
    .map(({ variantId, priceId, quantity }) => ({ variantId, priceId, quantity }))
}

/** Whether two mean the same line. One that names no price means any. */
export function isSameLine(one: LineRef, other: LineRef): boolean {
  return one.variantId === other.variantId && (!one.priceId || !other.priceId || one.priceId === other.priceId)
}

/** Where the session stands in this page. */
export interface SessionState {
  /**
   * `offline`: there is no answer, and the page keeps trying. `expired`: a preview is over and cannot be renewed; a
   * buyer's session starts anew by itself. `moved`: the session was handed over and goes on in another page;
   * `startOver()` begins another one here. `failed`: it could not begin.
   */
  status: 'starting' | 'ready' | 'offline' | 'expired' | 'moved' | 'failed'
  /** The platform's last answer; `null` until the session has started. It is kept while the page is offline. */
  view: BuyerSession | null
  /** Whether a change is under way. */
  isBusy: boolean
  /** Why it is offline, expired, moved or failed; or `null`. */
  error: TillwrightError | null
}

/** The context of calls. */
export interface CallContext {
  data: Store<PageData>
  around: Surroundings
  record: SessionRecord
  /** The step that the page's address asks for; empty for none. */
  wantedStepId: string
}
