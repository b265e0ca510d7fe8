import { z } from 'zod'
import type { Database, ScenarioStatus, Statement } from '../dependencies.ts'

/** What the engine's issuer does with a card: how it answers, and how a challenge of its goes. */
export interface Scenario {
  /** Source: EMV 3DS 2.2.0, transStatus. A challenge of the kind `decoupled` is D where the shop has asked for it. */
  transStatus: ScenarioStatus
  /** Source: EMV 3DS 2.2.0, transStatusReason. */
  transStatusReason?: string
  /** How the buyer is asked: by a code (`otp`, unless it is said), in the bank's app, or long after the page has gone. */
  challenge?: ChallengeKind
  /** What comes of a challenge that decides by itself; a success unless it is said. */
  result?: Decision
}

export const challengeKinds = ['otp', 'oob', 'decoupled'] as const
export type ChallengeKind = (typeof challengeKinds)[number]

/** How a challenge can end. Source: EMV 3DS 2.2.0, transStatus of an RReq. */
export const decisions = ['Y', 'A', 'N', 'U', 'R'] as const
export type Decision = (typeof decisions)[number]

/** What goes wrong on each leg of an authentication, on purpose. */
export const faults = z.strictObject({
  /** The method page: never notifies, notifies after the ten seconds that a shop waits, names another transaction. */
  method: z.enum(['hang', 'late', 'wrong_transaction']).optional(),
  /** The answer: none, after five seconds, no JSON, for another transaction, with a field twice. */
  ares: z.enum(['timeout', 'late', 'malformed', 'wrong_transaction', 'duplicate']).optional(),
  /** Where the challenge is: what a browser would run, a document, a place without HTTPS, 2,049 characters. */
  acsUrl: z.enum(['script', 'document', 'plain', 'long']).optional(),
  /** The result: a second or 15 seconds after the browser has gone, twice, never, without its outcome, for another transaction. */
  rreq: z.enum(['after', 'late', 'twice', 'never', 'malformed', 'wrong_transaction']).optional(),
  /** The end that the browser tells: the opposite of the result, no JSON, of another transaction, none. */
  cres: z.enum(['contradicts', 'malformed', 'wrong_transaction', 'never']).optional(),
})
export type Faults = z.output<typeof faults>

/** What the next authentication shall come to; what is left out is as without it. */
export const control = z.strictObject({
  outcome: z.enum(['Y', 'A', 'N', 'U', 'R', 'I', 'C']).optional(),
  challenge: z.enum(challengeKinds).optional(),
  result: z.enum(decisions).optional(),
  faults: faults.default({}),
})
export type Control = z.output<typeof control>

/** The reason that goes with an outcome which has one. Source: EMV 3DS 2.2.0, transStatusReason. */
export const reasons: Readonly<Partial<Record<Scenario['transStatus'], string>>> = {
  N: '01', // card authentication failed
  U: '22', // technical fault at the issuer
  R: '11', // suspected fraud
}

/** A scenario as a control changes it. */
export function controlled(scenario: Scenario, { outcome, challenge, result }: Control): Scenario {
  const reason = outcome === undefined ? scenario.transStatusReason : reasons[outcome]
  return {
    transStatus: outcome ?? (challenge === undefined ? scenario.transStatus : 'C'),
    ...(reason !== undefined && { transStatusReason: reason }),
    ...((challenge ?? scenario.challenge) && { challenge: challenge ?? scenario.challenge }),
    ...((result ?? scenario.result) && { result: result ?? scenario.result }),
  }
}

/** For whom something is arranged: an account's next authentication, or that of one transaction. */
export interface Controlled {
  accountId: string
  /** The 3DS server's id; '' stands for the next one of the account. */
  transactionId: string
}

/** What was arranged, and the statement that uses it up. */
export interface Arranged {
  control: Control
  taken: Statement
}

/** The statement that arranges what the next authentication shall come to; it replaces what was arranged before. */
export function arrange(next: Control, { accountId, transactionId }: Controlled): Statement {
  return {
    sql: `INSERT INTO acs_controls (account_id, transaction_id, next) VALUES (?, ?, ?)
      ON CONFLICT (account_id, transaction_id) DO UPDATE SET next = excluded.next`,
    params: [accountId, transactionId, JSON.stringify(next)],
  }
}

/** What was arranged for a transaction, by itself or as the next of its account; `null` when nothing was. */
export async function findControl({ accountId, transactionId }: Controlled, db: Database): Promise<Arranged | null> {
  const [row] = await db.read(
    `SELECT account_id, transaction_id, next FROM acs_controls WHERE account_id = ? AND transaction_id IN (?, '')
      ORDER BY transaction_id DESC LIMIT 1`,
    [accountId, transactionId],
  )
  if (row === undefined) return null
  return {
    control: control.parse(JSON.parse(String(row['next']))),
    taken: {
      sql: 'DELETE FROM acs_controls WHERE account_id = ? AND transaction_id = ? AND next = ?',
      params: [String(row['account_id']), String(row['transaction_id']), String(row['next'])],
      expect: 1,
    },
  }
}
