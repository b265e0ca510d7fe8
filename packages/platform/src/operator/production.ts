import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { webhookEndpointsTable } from '../events/index.ts'
import {
  openProcessorSecret,
  openWebhookSecrets,
  type ProcessorRegistry,
  processorsTable,
  refuseSimulators,
} from '../processors/index.ts'
import { isAnyPort, OperatorError } from '../runtime/index.ts'
import { type Blobs, BlobsUnavailable, defineTable, json, openBlobs, pick, rowReader, text } from '../storage/index.ts'
import type { OperatorServices } from './operator-services.ts'
import { agesFindings } from './production-ages.ts'
import { certificateFindings } from './production-certificates.ts'
import { databaseFindings } from './production-database.ts'
import { fail, ok, type ProductionFinding, warn } from './production-finding.ts'

/** Checks before and while a platform takes real payments. Nothing is changed but one blob, which is removed again. */
export interface ProductionChecks {
  /** Of the database, the keys, the store of files and what accounts have set. */
  findings(): Promise<ProductionFinding[]>
  /** The domains that plugins were promoted to, in alphabetical order. */
  domains(): Promise<string[]>
}

export function productionChecks(
  services: OperatorServices,
  { config, registry }: { config: Config; registry: ProcessorRegistry },
): ProductionChecks {
  const { db } = services
  return {
    async findings() {
      const groups = [
        await databaseFindings(services, config),
        await agesFindings(services),
        await certificateFindings(services, config),
        [await ofBlobs(config, services)],
        await ofProcessors(services, registry),
        await ofAccounts(services),
      ]
      return groups.flat()
    },
    async domains() {
      return readHostnames(await db.read('SELECT hostname FROM domain_hostnames ORDER BY hostname', [])).map(
        ({ hostname }) => hostname,
      )
    },
  }
}

const readHostnames = rowReader(defineTable('domain_hostnames', { hostname: text }))

/** Writes, reads and removes a blob. */
async function ofBlobs(config: Config, { clock }: OperatorServices): Promise<ProductionFinding> {
  const place = config.blobs === undefined ? `TILLWRIGHT_HOME (${config.home}/blobs)` : 'TILLWRIGHT_BLOBS'
  const bytes = randomBytes(64)
  try {
    const name = createHash('sha256').update(bytes).digest('hex')
    const blobs = await openBlobs(config, clock)
    await blobs.put(name, bytes)
    const isBack = await givesBack(blobs, name)
    await blobs.remove(name)
    if (!isBack)
      return fail(`${place} does not give back what was written`, 'check the disk, or the bucket and its rights')
    const isShared = config.blobs !== undefined || config.databaseUrl === undefined
    return isShared
      ? ok(`${place} stores files and gives them back`)
      : warn(
          `${place} works, but is a folder: every process has to share it`,
          'set TILLWRIGHT_BLOBS to an S3 bucket, or mount one folder everywhere',
        )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return fail(
      `${place} cannot be written: ${reason}`,
      'correct TILLWRIGHT_BLOBS and its credentials, or the owner of the folder',
    )
  }
}

/** Bytes are compared with their name as they are read. */
async function givesBack(blobs: Blobs, name: string): Promise<boolean> {
  try {
    return (await blobs.get(name)) !== null
  } catch (error) {
    if (error instanceof BlobsUnavailable) return false
    throw error
  }
}

/** Every secret opens under TILLWRIGHT_SECRETS_KEY, and those of the API are live ones; nothing is simulated. */
async function ofProcessors(services: OperatorServices, registry: ProcessorRegistry): Promise<ProductionFinding[]> {
  const sql = `SELECT account_id, id, driver, sealed_secret, sealed_webhook_secret FROM processors
    WHERE archived_at IS NULL ORDER BY account_id, id`
  const rows = readProcessors(await services.db.read(sql, []))
  const findings = rows.flatMap((row) => [
    ...secretFindings(row, { services, registry }),
    ...webhookSecretFindings(row, services),
  ])
  const simulated = await refuseSimulators({ ...services, environment: 'production' }, registry).then(
    () => null,
    (error: unknown) => {
      if (error instanceof OperatorError) return fail(error.message, 'tillwright processors archive ID')
      throw error
    },
  )
  if (simulated !== null) findings.push(simulated)
  if (findings.length > 0) return findings
  return [
    rows.length === 0
      ? warn('there is no processor, so no payment can be taken', 'tillwright processors add')
      : ok(`the secrets of ${rows.length} processors open, and none is for tests`),
  ]
}

const readProcessors = rowReader(
  pick(processorsTable, 'account_id', 'id', 'driver', 'sealed_secret', 'sealed_webhook_secret'),
)
type ProcessorRow = ReturnType<typeof readProcessors>[number]

function secretFindings(
  { id, account_id: account, driver: name, sealed_secret: sealed }: ProcessorRow,
  { services, registry }: { services: OperatorServices; registry: ProcessorRegistry },
): ProductionFinding[] {
  const driver = registry.find(name)
  const rule = driver?.secret ?? null
  if (rule === null || sealed === null) return []
  const replace = `give it another with "tillwright processors update ${id} --secret-from-stdin"`
  try {
    const problem = rule.problem(openProcessorSecret(sealed, id, services), 'production')
    return problem === null
      ? []
      : [fail(`the processor ${id} of ${account} has a secret that is not for production`, replace)]
  } catch {
    return [doesNotOpen(`the secret of the processor ${id} of ${account}`, replace)]
  }
}

/** Also of one that was replaced, while events may be signed with it. */
function webhookSecretFindings(
  { id, account_id: account, sealed_webhook_secret: kept }: ProcessorRow,
  services: OperatorServices,
): ProductionFinding[] {
  try {
    Array.from(openWebhookSecrets(kept ?? [], id, services))
    return []
  } catch {
    const replace = `give it another with "tillwright processors set-webhook-secret ${id} --secret-from-stdin"`
    return [doesNotOpen(`the webhook secret of the processor ${id} of ${account}`, replace)]
  }
}

function doesNotOpen(secret: string, replace: string): ProductionFinding {
  return fail(`${secret} does not open under TILLWRIGHT_SECRETS_KEY`, `start with the right key, or ${replace}`)
}

/** Webhooks go over HTTPS, and keys of pages are for pages that buyers can reach. */
async function ofAccounts({ db, clock }: OperatorServices): Promise<ProductionFinding[]> {
  const endpoints = readEndpoints(
    await db.read('SELECT id, url, enabled FROM webhook_endpoints ORDER BY account_id, id', []),
  )
  const plain = endpoints.filter((row) => !row.url.startsWith('https://'))
  const disabled = endpoints.filter((row) => !row.enabled)
  const keys = readKeys(
    await db.read(
      "SELECT id, allowed_origins FROM api_keys WHERE kind = 'publishable' AND revoked_at IS NULL ORDER BY account_id, id",
      [],
    ),
  )
  const local = keys.filter((row) => row.allowed_origins.some(isForDevelopers))
  const soonMs = clock.now() + 14 * 24 * 3_600_000
  const ending = readIds(
    await db.read(
      `SELECT id FROM api_keys
        WHERE revoked_at IS NULL AND replaced_by IS NULL AND expires_at > ? AND expires_at < ? ORDER BY account_id, id`,
      [clock.now(), soonMs],
    ),
  )
  const findings = [
    ...plain.map((row) =>
      fail(
        `the webhook endpoint ${row.id} is not on https://`,
        `"tillwright webhooks remove ${row.id}", and add it with https://`,
      ),
    ),
    ...disabled.map((row) =>
      warn(
        `the webhook endpoint ${row.id} is disabled after failures`,
        `mend its server, then "tillwright webhooks enable ${row.id}"`,
      ),
    ),
    ...local.map((row) =>
      warn(
        `the publishable key ${row.id} works on pages without https://`,
        `"tillwright keys revoke ${row.id}", and create one for the shop's origin`,
      ),
    ),
    ...ending.map((row) =>
      warn(`the key ${row.id} expires within two weeks`, `make its successor with "tillwright keys roll ${row.id}"`),
    ),
  ]
  return findings.length > 0
    ? findings
    : [ok(`${endpoints.length} webhook endpoints and all keys are fit for production`)]
}

const readEndpoints = rowReader(pick(webhookEndpointsTable, 'id', 'url', 'enabled'))
const readKeys = rowReader({ id: text, allowed_origins: json<string[]>() })
const readIds = rowReader({ id: text })

function isForDevelopers(origin: string): boolean {
  return isAnyPort(origin) || !origin.startsWith('https://')
}
