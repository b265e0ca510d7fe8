import type { Charge } from '../world/bank.ts'
import type { Site } from '../world/platforms.ts'

/**
 * A charge that waited for 3-D Secure: the buyer's bank itself has the buyer down as authenticated, in the session of that
 * payment, and has told the platform so: without an answer nothing is charged. A proof is of the same session, and no
 * other charge that holds money was made with it.
 *
 * @returns A function that finds the problems of new charges. Each is checked once, soon after it was made.
 */
export function proofs({ world, server, directory }: Site): (charges: ReadonlyMap<string, Charge>) => string[] {
  const seen = new Set<string>()
  const spent = new Map<string, string>()
  function problemOf({ attemptId, proof }: Charge): string | null {
    const [row] = server.rows(selectSession, [attemptId])
    if (row === undefined) return null // the charge is on no record, which is told elsewhere
    const { session, transaction_id: transactionId, state } = row
    if (session === null) return proof === null ? null : `${attemptId} was made with a proof, and has no session`
    if (proof !== null && proof.transactionId !== transactionId)
      return `${attemptId} was made with the proof of another session`
    const { ares, result } = JSON.parse(String(state ?? '{}'))
    const verdict: unknown = result?.transStatus ?? ares?.transStatus
    if (verdict !== 'Y' && verdict !== 'A') return `${attemptId} was made, and the buyer's bank says ${String(verdict)}`
    const heard = directory.heard.get(String(transactionId))
    if (heard !== 'Y' && heard !== 'A')
      return `${attemptId} was made, and its directory server has said ${heard ?? 'nothing'} to the platform`
    if (proof === null) return `${attemptId} was made without the proof of its session`
    const other = spent.get(proof.value)
    spent.set(proof.value, attemptId)
    world.count('charges with a proof')
    return other === undefined ? null : `${other} and ${attemptId} were made with one proof`
  }
  return (charges) => {
    const problems: string[] = []
    for (const charge of charges.values()) {
      if (charge.authorised === 0 || seen.has(charge.attemptId)) continue
      seen.add(charge.attemptId)
      const problem = problemOf(charge)
      if (problem !== null) problems.push(`authentication: ${problem}`)
    }
    return problems
  }
}

const selectSession = `SELECT p.threeds_session_id AS session, s.external_session_id AS transaction_id, t.state
  FROM payment_attempts a JOIN payments p ON p.account_id = a.account_id AND p.id = a.payment_id
  LEFT JOIN threeds_sessions s ON s.account_id = p.account_id AND s.id = p.threeds_session_id
  LEFT JOIN acs_transactions t ON t.account_id = s.account_id AND t.transaction_id = s.external_session_id
  WHERE a.id = ?`
