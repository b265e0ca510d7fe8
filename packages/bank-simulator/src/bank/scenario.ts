import { z } from 'zod'
import type { Database, ScenarioStatus, Statement } from '../dependencies.ts'

/** How the simulated issuer treats a card: its response, and the course of its challenge. */
export interface Scenario {
  /** Source: EMV 3DS 2.2.0, transStatus. A `decoupled` challenge becomes D if the shop asked for it. */
  transStatus: ScenarioStatus
  /** Source: EMV 3DS 2.2.0, transStatusReason. */
  transStatusReason?: string
  /** How the buyer is asked: for a code (`otp`, the default), in the bank's app, or after leaving the page. */
  challenge?: ChallengeKind
  /** Outcome of a challenge that needs no input from the buyer. Defaults to success. */
  result?: Decision
  /** The issuer's behaviour where the merchant requests an exemption from strong customer authentication. */
  exempted?: Scenario
  /** The issuer's behaviour where the merchant demands a challenge. */
  mandated?: Scenario
  /** Source: EMV 3DS 2.2.0, whiteListStatus. `Y`: the buyer has the shop on their list of trusted beneficiaries. */
  whiteListStatus?: 'Y'
}

const challengeKinds = ['otp', 'oob', 'decoupled'] as const
export type ChallengeKind = (typeof challengeKinds)[number]

/** Outcome of a challenge. Source: EMV 3DS 2.2.0, transStatus of an RReq. */
export const decisions = ['Y', 'A', 'N', 'U', 'R'] as const
export type Decision = (typeof decisions)[number]

/** Deliberate faults, by step of an authentication. */
export const faults = z.strictObject({
  /** The method page never notifies, notifies after the ten seconds that a shop waits, or names another transaction. */
  method: z.enum(['hang', 'late', 'wrong_transaction']).optional(),
  /** The ARes never arrives, arrives after five seconds, is not JSON, names another transaction, or repeats a field. */
  ares: z.enum(['timeout', 'late', 'malformed', 'wrong_transaction', 'duplicate']).optional(),
  /** The challenge URL is a script, a document, without HTTPS, or 2,049 characters long. */
  acsUrl: z.enum(['script', 'document', 'plain', 'long']).optional(),
  /** The RReq is sent 1 or 15 s after the browser returns, twice, never, without outcome, or for another transaction. */
  rreq: z.enum(['after', 'late', 'twice', 'never', 'malformed', 'wrong_transaction']).optional(),
  /** The CRes contradicts the result, is not JSON, names another transaction, or is missing. */
  cres: z.enum(['contradicts', 'malformed', 'wrong_transaction', 'never']).optional(),
})
export type Faults = z.output<typeof faults>

/** Overrides for the next authentication. Omitted fields keep the scenario of the card. */
export const control = z.strictObject({
  outcome: z.enum(['Y', 'A', 'N', 'U', 'R', 'I', 'C']).optional(),
  challenge: z.enum(challengeKinds).optional(),
  result: z.enum(decisions).optional(),
  faults: faults.default({}),
})
export type Control = z.output<typeof control>

/** Default reason by outcome. Source: EMV 3DS 2.2.0, transStatusReason. */
export const reasons: Readonly<Partial<Record<Scenario['transStatus'], string>>> = {
  N: '01', // card authentication failed
  U: '22', // technical fault at the issuer
  R: '11', // suspected fraud
}

/** Applies the overrides of a control to a scenario. */
export function controlled(scenario: Scenario, { outcome, challenge, result }: Control): Scenario {
  const reason = outcome === undefined ? scenario.transStatusReason : reasons[outcome]
  return {
    transStatus: outcome ?? (challenge === undefined ? scenario.transStatus : 'C'),
    ...(reason !== undefined && { transStatusReason: reason }),
    ...((challenge ?? scenario.challenge) && { challenge: challenge ?? scenario.challenge }),
    ...((result ?? scenario.result) && { result: result ?? scenario.result }),
  }
}

/** The target of a control: the next authentication of an account, or that of one transaction. */
export interface Controlled {
  accountId: string
  /** `threeDSServerTransID`; empty for the next transaction of the account. */
  transactionId: string
}

/** A control, and the statement that consumes it. */
export interface Arranged {
  control: Control
  taken: Statement
}

/** Stores a control. Replaces any earlier one with the same target. */
export function arrange(next: Control, { accountId, transactionId }: Controlled): Statement {
  return {
    sql: `INSERT INTO acs_controls (account_id, transaction_id, next) VALUES (?, ?, ?)
      ON CONFLICT (account_id, transaction_id) DO UPDATE SET next = excluded.next`,
    params: [accountId, transactionId, JSON.stringify(next)],
  }
}

/** Finds the control that applies to a transaction, either its own or that for the next one of its account. */
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
