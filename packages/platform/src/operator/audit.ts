import { auditHeads, type AuditVerdict, type KeptHead, PLATFORM, verifyAudit } from '../audit/index.ts'
import { OperatorError } from '../runtime/index.ts'
import { chooseAccount } from './accounts.ts'
import type { OperatorServices } from './operator-services.ts'

/** Logs to verify: those of all accounts unless one is named. */
export interface WantedVerification {
  account?: string
  /** Earlier output of `heads`, as JSON, kept where a writer to the database cannot reach it. */
  heads?: string
}

/** Operator commands for the audit log. */
export interface AuditManagement {
  verify(wanted: WantedVerification): Promise<AuditVerdict[]>
  /** Where each log ends. */
  heads(): Promise<KeptHead[]>
}

export function manageAudit(services: OperatorServices): AuditManagement {
  return {
    async verify({ account, heads }) {
      const kept = heads === undefined ? [] : readHeads(heads)
      const wanted = kept.filter(({ accountId }) => account === undefined || accountId === account)
      const verdicts = await verifyAudit(services, { ...(account !== undefined && { account }), kept: wanted })
      // A mistyped account must not pass for one without entries.
      if (verdicts.length === 0 && account !== undefined && account !== PLATFORM) {
        await chooseAccount(services.db, account)
      }
      return verdicts
    },
    heads: () => auditHeads(services),
  }
}

/** @throws {OperatorError} When the text is not what `heads` prints. */
function readHeads(text: string): KeptHead[] {
  const heads: unknown = parse(text)
  if (Array.isArray(heads) && heads.every(isHead)) return heads
  throw new OperatorError('--heads: the file must hold what "tillwright audit heads --json" has printed.')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isHead(value: unknown): value is KeptHead {
  if (typeof value !== 'object' || value === null) return false
  const { accountId, sequence, hash }: Partial<Record<keyof KeptHead, unknown>> = value
  return typeof accountId === 'string' && Number.isSafeInteger(sequence) && typeof hash === 'string'
}
