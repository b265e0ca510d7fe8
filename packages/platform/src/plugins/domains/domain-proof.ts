import { ApiError } from '../../ambient/api-error.ts'
import type { Call } from '../../call.ts'
import type { ResolveTxt } from './resolve-txt.ts'

/** How long the look-up of a proof may take. */
const LOOKUP_TIMEOUT_MS = 5_000

/**
 * Makes sure that who controls a host name's zone wants this account to have it: its TXT record carries a token that
 * only the platform can make, of account and name. The token does not change, so that the record can be set in peace.
 *
 * @throws {ApiError} 409 with the record to set; 502 or 504 when nobody can tell whether it is set.
 */
export async function requireProof(hostname: string, call: Call, resolveTxt: ResolveTxt): Promise<void> {
  const record = `_tillwright.${hostname}`
  const value = `tillwright-verification=${tokenOf(hostname, call)}`
  const records = await inTime(resolveTxt(record), record, call)
  if (records.some((each) => each.trim() === value)) return
  throw new ApiError(
    'state_conflict',
    `Prove that ${hostname} is yours: set the TXT record ${record} to "${value}", then promote again.`,
  )
}

function tokenOf(hostname: string, { caller, parts }: Call): string {
  return parts.secrets.mac('domain proof', JSON.stringify([caller.accountId, hostname])).toString('base64url')
}

async function inTime(
  lookup: Promise<readonly string[]>,
  record: string,
  { parts: { clock } }: Call,
): Promise<readonly string[]> {
  const answered = new AbortController()
  const tooLate = clock.until(clock.now() + LOOKUP_TIMEOUT_MS, answered.signal).then(() => 'too late' as const)
  try {
    const records = await Promise.race([lookup, tooLate])
    if (records !== 'too late') return records
  } catch (error) {
    throw new ApiError('upstream_failed', `The TXT record ${record} cannot be looked up; try again in a while.`, {
      cause: error,
    })
  } finally {
    answered.abort()
  }
  throw new ApiError('upstream_timeout', `Looking up the TXT record ${record} took too long; try again in a while.`)
}
