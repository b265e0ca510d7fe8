import { findApiKey, hashKeyText, newKeyText } from '../../accounts/index.ts'
import { recordNow, worker } from '../../audit/index.ts'
import type { Services } from '../../request-context.ts'
import { newId, type Randomness } from '../../runtime/index.ts'
import type { ServedDeployment } from '../served-deployment.ts'

/** Gives a store's pages on one origin their publishable key. */
export type PageKeys = (place: Pick<ServedDeployment, 'accountId' | 'storeId'>, origin: string) => Promise<string>

/** How many keys are remembered as recorded; beyond that all are recorded anew, which changes nothing. */
const REMEMBERED = 10_000

/**
 * The publishable keys that pages of plugins work with, each good for one store and one origin. A key is made of these
 * two by the platform's own secret, so that it stays the same and its text is stored nowhere; it is recorded when a page
 * first carries it. One that an operator revokes stays revoked.
 */
export function pageKeys(
  services: Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment'>,
): PageKeys {
  const recorded = new Set<string>()
  return async (place, origin) => {
    const text = keyText(place, origin, services)
    if (recorded.has(text)) return text
    if ((await findApiKey(hashKeyText(text), services.db)) === null)
      await recordKey({ ...place, text, origin }, services)
    if (recorded.size >= REMEMBERED) recorded.clear()
    recorded.add(text)
    return text
  }
}

/** Refused where another process has just recorded it. */
async function recordKey(
  key: Omit<NewPageKey, 'id'>,
  services: Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets'>,
): Promise<void> {
  const nowMs = services.clock.now()
  const id = newId('key', nowMs, services.randomness)
  const { accountId, storeId, origin } = key
  const recorded = recordNow(
    {
      accountId,
      actor: worker('plugin-pages'),
      operation: 'keys.create',
      resource: { type: 'apiKey', id },
      after: { id, kind: 'publishable', storeId, allowedOrigins: [origin] },
    },
    services,
  )
  await services.db.write([{ sql: insertKey, params: keyParams({ ...key, id }, nowMs), expect: 1 }, ...recorded])
}

function keyText(
  { accountId, storeId }: Pick<ServedDeployment, 'accountId' | 'storeId'>,
  origin: string,
  { secrets, environment }: Pick<Services, 'secrets' | 'environment'>,
): string {
  let block = 0
  const drawn: Randomness = {
    bytes(length) {
      const blocks: Buffer[] = []
      for (let bytes = 0; bytes < length; bytes += 32) {
        block += 1
        const mac = secrets.mac('page key', JSON.stringify([accountId, storeId, origin, block]))
        blocks.push(Buffer.from(mac, 'base64url'))
      }
      return Buffer.concat(blocks).subarray(0, length)
    },
  }
  return newKeyText('publishable', environment, drawn)
}

const insertKey = `INSERT INTO api_keys
    (account_id, id, kind, hash, last4, roles, scopes, store_id, allowed_origins, created_at, name)
  VALUES (?, ?, 'publishable', ?, ?, '[]', '[]', ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`

interface NewPageKey extends Pick<ServedDeployment, 'accountId' | 'storeId'> {
  id: string
  text: string
  origin: string
}

function keyParams({ accountId, storeId, id, text, origin }: NewPageKey, nowMs: number) {
  const name = `Plugin pages on ${new URL(origin).host}`.slice(0, 255)
  return [accountId, id, hashKeyText(text), text.slice(-4), storeId, JSON.stringify([origin]), nowMs, name]
}
