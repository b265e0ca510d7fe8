import type { Services, Write } from '../request-context.ts'
import { newId } from '../runtime/index.ts'
import { type AuditedChange, record } from './record.ts'

/** As many as the erasing entry can name within what an entry keeps of a change. */
const NAMED_MAX = 100

/** Entries to erase from the log, and the change that erases them. */
export interface ErasedChanges extends Pick<AuditedChange, 'accountId' | 'actor' | 'resource'> {
  /** Must end with `.erase`: by it `verify` tells what may account for erased changes. */
  operation: `${string}.erase`
  /** Facts of the erasure, without personal data. */
  after: Readonly<Record<string, unknown>>
  entries: readonly string[]
}

/**
 * Returns the statements that erase the changes of entries, and where a buyer's request came from. The entries stay, with
 * all else that they say. Each is named by an erasing entry, so that `verify` knows that it was the platform that erased
 * them. Without entries there is one erasing entry all the same, for what else was erased with it.
 */
export function eraseChanges(
  { entries, after, ...change }: ErasedChanges,
  services: Pick<Services, 'clock' | 'randomness' | 'secrets'>,
): Write[] {
  const nowMs = services.clock.now()
  const parts = [entries.slice(0, NAMED_MAX)]
  for (let from = NAMED_MAX; from < entries.length; from += NAMED_MAX) parts.push(entries.slice(from, from + NAMED_MAX))
  return parts.flatMap((part) => {
    const id = newId('aud', nowMs, services.randomness)
    const recorded = record({ ...change, after: { ...after, entries: part } }, { nowMs, newId: () => id, services })
    if (part.length === 0) return recorded
    return [...recorded, { sql: erase, params: [id, change.accountId, JSON.stringify(part.map((entry) => [entry]))] }]
  })
}

/** Only a buyer's request has its sender in the part of an entry that can be erased. */
const erase = `UPDATE audit_entries SET changes = NULL, erased_by = ?,
    address = CASE WHEN actor_kind = 'session' THEN NULL ELSE address END,
    user_agent = CASE WHEN actor_kind = 'session' THEN NULL ELSE user_agent END
  WHERE account_id = ? AND id IN (SELECT item.value ->> 0 FROM {items}) AND erased_by IS NULL`
