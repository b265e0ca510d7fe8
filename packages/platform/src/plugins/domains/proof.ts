import type { RequestContext } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import type { NameServers } from '../hosting.ts'

/** How long name servers may take, all attempts together. */
const LOOKUP_TIMEOUT_MS = 5_000

/** A TXT record. */
export interface TxtRecord {
  name: string
  value: string
}

/**
 * The record by which the owner of a host name's zone says that this account may have it: it carries a token that only the
 * platform can derive from account and name. The token never changes, so the record can be set at any time.
 */
export function proofOf(hostname: string, { caller, services }: RequestContext): TxtRecord {
  const subject = JSON.stringify([caller.accountId, hostname])
  const token = services.secrets.mac('domain proof', subject)
  return { name: `_tillwright.${hostname}`, value: `tillwright-verification=${token}` }
}

/** @throws {ApiError} 409 with the record to set; 502 or 504 when the lookup fails. */
export async function requireProof(hostname: string, context: RequestContext, names: NameServers): Promise<void> {
  const { name, value } = proofOf(hostname, context)
  const found = await provingRecords(name, context, names)
  if (found.some((each) => proves(each, value))) return
  throw new ApiError(
    'state_conflict',
    `Prove that ${hostname} is yours: set the TXT record ${name} to "${value}", then promote again.`,
  )
}

/** Whether a text that was found is the proof. */
export function proves(found: string, value: string): boolean {
  return found.trim() === value
}

async function provingRecords(name: string, context: RequestContext, names: NameServers): Promise<readonly string[]> {
  const lookup = await inTime(names.txt(name), context)
  if (lookup.outcome === 'answered') return lookup.found
  if (lookup.outcome === 'too late') {
    throw new ApiError('upstream_timeout', `Looking up the TXT record ${name} took too long; try again in a while.`)
  }
  throw new ApiError('upstream_failed', `The TXT record ${name} cannot be looked up; try again in a while.`, {
    cause: lookup.error,
  })
}

/** Result of a DNS look-up. */
type Lookup =
  | { outcome: 'answered'; found: readonly string[] }
  | { outcome: 'failed'; error: unknown }
  | { outcome: 'too late' }

/** Waits for a look-up, though not for long. */
export async function inTime(
  lookup: Promise<readonly string[]>,
  { services: { clock } }: Pick<RequestContext, 'services'>,
): Promise<Lookup> {
  const answered = new AbortController()
  const tooLate = clock
    .until(clock.now() + LOOKUP_TIMEOUT_MS, answered.signal)
    .then(() => ({ outcome: 'too late' }) as const)
  const asked = lookup.then(
    (found) => ({ outcome: 'answered', found }) as const,
    (error: unknown) => ({ outcome: 'failed', error }) as const,
  )
  try {
    return await Promise.race([asked, tooLate])
  } finally {
    answered.abort()
  }
}
