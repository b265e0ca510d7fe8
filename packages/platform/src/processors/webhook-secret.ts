import { SECRET_OVERLAP_DEFAULT_H } from '@tillwright/contract'
import type { SealedColumn } from '../keys/index.ts'
import type { Services } from '../request-context.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { processorsTable, type SealedWebhookSecret } from './tables.ts'

/** Sealed for its processor: in another row it does not open. */
const PURPOSE = 'processor webhook secret'

/** Processors sign with what was replaced for some time: Adyen until the new one is everywhere, Stripe for up to a day. */
const FORMER_MS = SECRET_OVERLAP_DEFAULT_H * 3_600_000

/**
 * The secret that a processor signs its events with, as its row keeps it.
 *
 * @param processor `former` is what the row has: the newest of it is taken for a day more, and anything older no longer.
 */
export function sealWebhookSecret(
  secret: string,
  { id, former = [] }: { id: string; former?: readonly SealedWebhookSecret[] },
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
): string {
  const newest: SealedWebhookSecret = { sealed: secrets.seal(PURPOSE, Buffer.from(secret), id), expiresAt: null }
  const before = former.slice(0, 1).map(({ sealed }) => ({ sealed, expiresAt: clock.now() + FORMER_MS }))
  return JSON.stringify([newest, ...before])
}

/**
 * The secrets with which events may be signed now, the newest first; each is opened when it is wanted.
 *
 * @throws {Error} When one was sealed with another key or for another processor.
 */
export function* openWebhookSecrets(
  kept: readonly SealedWebhookSecret[],
  processorId: string,
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
): Generator<string> {
  for (const { sealed, expiresAt } of kept) {
    if (expiresAt === null || expiresAt > clock.now())
      yield Buffer.from(secrets.open(PURPOSE, sealed, processorId)).toString()
  }
}

/** What the row of a processor has, to be replaced; nothing where no secret was set. */
export async function keptWebhookSecrets(
  { id, accountId }: { id: string; accountId: string },
  db: Database,
): Promise<readonly SealedWebhookSecret[]> {
  const sql = 'SELECT sealed_webhook_secret FROM processors WHERE account_id = ? AND id = ?'
  const [row] = readSecrets(await db.read(sql, [accountId, id]))
  return row?.sealed_webhook_secret ?? []
}

const readSecrets = rowReader(pick(processorsTable, 'sealed_webhook_secret'))

/** The column `sealed_webhook_secret`, for rotating keys. */
export const sealedWebhookSecret: SealedColumn = {
  ring: 'secrets',
  table: 'processors',
  column: 'sealed_webhook_secret',
  keyedBy: 'account and id',
  reseal(value, { id }, box) {
    const kept: SealedWebhookSecret[] = JSON.parse(value)
    return JSON.stringify(kept.map((each) => ({ ...each, sealed: box.reseal(PURPOSE, each.sealed, id) })))
  },
}
