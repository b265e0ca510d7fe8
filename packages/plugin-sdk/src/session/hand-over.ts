import type { BuyerSession } from '../api.ts'
import type { TillwrightError } from '../tillwright-error.ts'
import type { SessionRecord } from './record.ts'
import type { SessionRequest } from './send.ts'

/**
 * Takes over a session with the code in the address. Dependencies are passed in, because this module is loaded on
 * demand.
 *
 * @param redeem Sends the code, and adopts the returned token.
 * @returns `null` for an expired code: the tab keeps its own session.
 * @throws {TillwrightError} If there is no response; and the refusal of a preview's code, if the tab has no session.
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
    // A buyer's session must not replace a preview, in which nothing is sold.
    if (token || !handed.code.includes('preview')) return null
    record.update({ status: 'expired', error })
    throw error
  }
}

/** The parts of the session that are needed to hand it over. */
interface Handing extends Pick<SessionRecord, 'keep'> {
  ask(request: SessionRequest): Promise<unknown>
}

/**
 * Hands the session over to a page on another origin. The code is created at the last moment, because it is valid for a
 * minute.
 */
export async function handOver(url: URL, session: Handing, go: (address: string) => void): Promise<void> {
  const { code } = (await session.ask('POST /session/hand-over')) as { code: string } // as returned by the platform
  session.keep({ wentTo: url.href })
  go(`${url.href}#tillwright-code=${code}`)
}
