import { PRESETS_MAX, type ConfigSync, type Contract, type ResponseOf } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { Call, Handler, Reply, Write } from '../../call.ts'
import { canonicalHash } from '../canonical-hash.ts'
import { requireDeployment } from '../deployments/deployments.ts'

type Synced = ResponseOf<Contract['plugins']['syncConfig']>

/** What a setting is; a schema and a uiSchema stand once, under the name they have in the API. */
type Kind = 'schema' | 'uiSchema' | 'preset' | 'template'

/** One setting as it was sent. */
interface Setting {
  kind: Kind
  name: string
  value: Record<string, unknown>
}

/** Source: reference, "POST /plugins/v2/deployment/sync-config". */
export const syncConfig: Handler<Contract['plugins']['syncConfig']> = async ({ body }, call) => {
  const settings = [...single('schema', body), ...single('uiSchema', body), ...named('preset', body.presets ?? {})]
  return sync(body.deploymentId, settings, call)
}

/** Source: reference, "POST /plugins/v2/deployment/sync-templates". */
export const syncTemplates: Handler<Contract['plugins']['syncTemplates']> = async ({ body }, call) =>
  sync(body.deploymentId, named('template', body.templates), call)

function single(kind: 'schema' | 'uiSchema', body: ConfigSync): Setting[] {
  const value = body[kind]
  return value === undefined ? [] : [{ kind, name: kind, value }]
}

function named(kind: 'preset' | 'template', sent: Record<string, Record<string, unknown>>): Setting[] {
  return Object.entries(sent).map(([name, value]) => ({ kind, name, value }))
}

/**
 * Stores what differs from what stands as a new revision; former values stay on record under their own. Nobody but the
 * author edits these settings yet, so there are no conflicts.
 */
async function sync(deploymentId: string, settings: readonly Setting[], call: Call): Promise<Reply<Synced>> {
  await requireDeployment(deploymentId, call)
  const standing = await readStanding(deploymentId, call)
  const changed = settings.filter(
    ({ kind, name, value }) => standing.hashes.get(place(kind, name)) !== canonicalHash(value),
  )
  refuseTooMany(changed, standing.hashes)
  const updated = changed.map(({ name }) => name)
  const revision = changed.length === 0 ? standing.revision : standing.revision + 1
  const body: Synced = { success: true, deploymentId, revision, updated, conflicts: [] }
  return changed.length === 0 ? { body } : { body, writes: revisionWrites({ deploymentId, revision, changed }, call) }
}

/** What is stored: the hash of each setting's latest value, and how often anything has changed. */
interface Standing {
  revision: number
  hashes: ReadonlyMap<string, string>
}

function place(kind: string, name: string): string {
  return `${kind} ${name}`
}

async function readStanding(deploymentId: string, { caller, parts }: Call): Promise<Standing> {
  const key = [caller.accountId, deploymentId]
  const [latest] = await parts.db.read(selectRevision, key)
  const rows = await parts.db.read(selectHashes, key)
  return {
    revision: Number(latest?.['revision'] ?? 0),
    hashes: new Map(rows.map((row) => [place(String(row['kind']), String(row['name'])), String(row['hash'])])),
  }
}

const selectRevision =
  'SELECT MAX(revision) AS revision FROM plugin_revisions WHERE account_id = ? AND deployment_id = ?'

/** Later revisions come later, so the last value of each setting is the one that stands. */
const selectHashes = `SELECT kind, name, hash FROM plugin_settings WHERE account_id = ? AND deployment_id = ?
  ORDER BY kind, name, revision`

function refuseTooMany(changed: readonly Setting[], standing: ReadonlyMap<string, string>): void {
  for (const kind of ['preset', 'template'] as const) {
    const places = new Set([...standing.keys()].filter((each) => each.startsWith(`${kind} `)))
    for (const setting of changed) if (setting.kind === kind) places.add(place(kind, setting.name))
    if (places.size <= PRESETS_MAX) continue
    const message = `The deployment would have ${places.size} ${kind}s; it has ${PRESETS_MAX} at most.`
    throw new ApiError('parameter_invalid', message, { param: `${kind}s` })
  }
}

/** A number is taken once: a second synchronisation at the same time loses the race and looks again. */
function revisionWrites(
  { deploymentId, revision, changed }: { deploymentId: string; revision: number; changed: readonly Setting[] },
  { caller: { accountId }, nowMs }: Call,
): Write[] {
  return [
    {
      sql: 'INSERT INTO plugin_revisions (account_id, deployment_id, revision, created_at) VALUES (?, ?, ?, ?)',
      params: [accountId, deploymentId, revision, nowMs],
    },
    ...changed.map(({ kind, name, value }) => ({
      sql: `INSERT INTO plugin_settings (account_id, deployment_id, kind, name, revision, hash, value)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      params: [accountId, deploymentId, kind, name, revision, canonicalHash(value), JSON.stringify(value)],
    })),
  ]
}
