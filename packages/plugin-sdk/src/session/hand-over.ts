import type { BuyerSession } from '../api.ts'
import type { TillwrightError } from '../tillwright-error.ts'
import type { SessionRecord } from './record.ts'
import type { SessionRequest } from './send.ts'

/**
 * Takes a session over with the code that the address has brought. What it needs comes from the caller, because this
 * module is loaded by itself.
 *
 * @param redeem Sends the code, and adopts the token that it is answered with.
 * @returns `null` for a code that is dead: it leaves the tab as it was.
 * @throws {TillwrightError} When there is no answer; and the refusal of a preview's code, if the tab has no session.
 */
export async function takeOver(
  record: SessionRecord,
  redeem: (handed: { code: string; key: string }) => Promise<BuyerSession>,
): Promise<BuyerSession | null> {
  const { handed, token } = record.kept.get()
  if (!handed) return null
  try {
    return await redeem(handed)
  } catch (problem) {
    const error = problem as TillwrightError // thrown by `send`
    if (!error.status || error.status >= 500 || error.status === 429) throw error
    record.keep({ handed: null })
    // A buyer's session must not stand in for a preview, in which nothing is sold.
    if (token || !handed.code.includes('preview')) return null
    record.update({ status: 'expired', error })
    throw error
  }
}

/** The session that is handed over, as far as it takes part. */
interface Handing extends Pick<SessionRecord, 'keep'> {
  ask(request: SessionRequest): Promise<unknown>
}

/** Hands the session over to a page on another origin. The code is made at the last moment, because it lives a minute. */
export async function handOver(url: URL, session: Handing, go: (address: string) => void): Promise<void> {
  const { code } = (await session.ask('POST /session/hand-over')) as { code: string } // as the platform answers it
  session.keep({ wentTo: url.href })
  go(`${url.href}#tillwright-code=${code}`)
}
