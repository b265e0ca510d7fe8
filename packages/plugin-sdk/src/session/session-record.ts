import type { BuyerSession } from '../api/buyer-session.ts'
import type { PageData } from '../page/page-data.ts'
import type { Surroundings } from '../page/surroundings.ts'
import { createStore, type Store } from '../store.ts'
import { TillwrightError } from '../tillwright-error.ts'
import { keyOf, readKept, unknownSession, type KeptSession } from './kept-session.ts'
import type { SessionState } from './session-state.ts'
import { wantedLines } from './wanted-lines.ts'

/** What is known of the session: in the page, and in its tab. */
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

/** Makes a record in which nothing stands yet. */
export function recordSession(data: Store<PageData>, around: Surroundings): SessionRecord {
  const key = keyOf(data.get())
  const state = createStore<SessionState>({ status: 'starting', view: null, isBusy: false, error: null })
  const kept = createStore(unknownSession(''))
  /** Whether nobody in this tab has seen the session yet, so that an order in it was placed elsewhere. */
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
        // What the buyer has not confirmed goes into no other session.
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
