import type { Contract, FiltersOf, ProcessorCheck } from '@tillwright/contract'
import { emitterAt } from '../events/index.ts'
import { commit } from '../http/index.ts'
import { equalTo, type ListTable, readList } from '../lists/index.ts'
import {
  archiveProcessor,
  checkSecret,
  insertProcessor,
  ownSettings,
  type ProcessorRegistry,
  processorLists,
  type ProcessorSettings,
  processorsTable,
  readProcessorSettings,
  keptWebhookSecrets,
  replaceWebhookSecret,
  requireRoomForProcessor,
  sealProcessorSecret,
  sealWebhookSecret,
  type StoppedProcessor,
  stoppedProcessors,
  type WantedSettings,
} from '../processors/index.ts'
import { OperatorError } from '../runtime/index.ts'
import { type Database, readByIds, type RowOf, rowReader } from '../storage/index.ts'
import { checkName, chooseAccount } from './accounts.ts'
import { checkDriver, checkProcessorSecret, checkProcessorSettings, checkWebhookSecret } from './check-processor.ts'
import {
  type CommandChange,
  everyEntry,
  type OperatorServices,
  recordCommand,
  withOperatorErrors,
} from './operator-services.ts'

/** A processor that is wanted. `account` may be left out where there is one. */
export interface WantedProcessor {
  account?: string
  name: string
  /** The driver's name. */
  driver: string
  /** API credentials; `null` if the driver needs none. */
  secret: string | null
  settings: WantedSettings
}

/** As the list of the API has them: without `archived`, those that are not. */
export type ProcessorFilters = FiltersOf<Contract['processors']['list']>

/** Operator commands for processors. */
export interface ProcessorManagement {
  add(wanted: WantedProcessor): Promise<ListedProcessor>
  /** The oldest first. `account` may be left out where there is one. */
  list(account: string | undefined, filters?: ProcessorFilters): Promise<ListedProcessor[]>
  get(id: string): Promise<ListedProcessor>
  /** Asks the processor whether it accepts its secret. */
  check(id: string): Promise<ProcessorCheck>
  /** The processors of all accounts that no payment goes through, because there is no driver of their name. */
  stopped(): Promise<StoppedProcessor[]>
  /** Lets a processor report disputes and refunds by webhook. The one that was set before is taken for a day more. */
  setWebhookSecret(id: string, secret: string | null): Promise<ListedProcessor>
  /** For good: payment flows pick it no more. One that was archived before stays as it is. */
  archive(id: string): Promise<ListedProcessor>
}

export function manageProcessors(services: OperatorServices, registry: ProcessorRegistry): ProcessorManagement {
  const { db, environment } = services
  const listing = { db, registry }

  async function found(id: string): Promise<ListedProcessor> {
    const processor = await findProcessor(listing, id)
    if (processor !== null) return processor
    throw new OperatorError(`There is no processor '${id}'; "tillwright processors list" shows those there are.`)
  }

  return {
    async add({ account, name, driver: driverName, secret, settings }) {
      const driver = checkDriver(driverName, registry)
      const accountId = await chooseAccount(db, account)
      await withOperatorErrors(() => requireRoomForProcessor(accountId, db))
      const emitter = emitterAt(accountId, services)
      const id = emitter.newId('processor')
      const checked = checkProcessorSecret(secret, driver, environment)
      const processor = {
        id,
        accountId,
        name: checkName(name),
        driver: driver.name,
        settings: checkProcessorSettings(settings, { driver, environment }),
        ...(checked !== null && { sealedSecret: sealProcessorSecret(checked, id, services) }),
      }
      const { sealedSecret: _, ...after } = processor
      const change = { accountId, operation: 'processors.create', resource: { type: 'processor', id }, after }
      await commit([insertProcessor(processor, emitter.nowMs), ...recordCommand(change, services)], services)
      return found(id)
    },
    async list(account, filters = {}) {
      return listProcessors(listing, await chooseAccount(db, account), filters)
    },
    get: found,
    async check(id) {
      const { accountId } = await found(id)
      const asked = { processorId: id, accountId }
      return { processorId: id, ...(await withOperatorErrors(() => checkSecret(asked, registry, services))) }
    },
    stopped: () => stoppedProcessors(services, registry),
    async setWebhookSecret(id, secret) {
      const processor = await found(id)
      const checked = checkWebhookSecret(secret, checkDriver(processor.driver, registry), environment)
      const recorded = recordCommand(changeOf('processors.setWebhookSecret', processor), services)
      const former = await keptWebhookSecrets(processor, db)
      const sealed = sealWebhookSecret(checked, { id, former }, services)
      const write = replaceWebhookSecret(processor, sealed, services.clock.now())
      await commit([write, ...recorded], services)
      return found(id)
    },
    async archive(id) {
      const processor = await found(id)
      if (processor.archivedAt !== null) return processor
      const recorded = recordCommand(changeOf('processors.archive', processor), services)
      const writes = archiveProcessor(processor, emitterAt(processor.accountId, services))
      await commit([...writes, ...recorded], services)
      return found(id)
    },
  }
}

function changeOf(operation: string, processor: ListedProcessor): CommandChange {
  const { accountId, id } = processor
  return { accountId, operation, resource: { type: 'processor', id }, before: processor }
}

/** A processor as lists show it, without its secret. */
export interface ListedProcessor extends ProcessorSettings {
  id: string
  accountId: string
  name: string
  driver: string
  /** The driver's own settings, without omitted ones. */
  driverSettings: Readonly<Record<string, unknown>>
  /** Whether it has a secret to verify its events with. */
  hasWebhookSecret: boolean
  /** Why the processor receives no payments regardless of flows; `null` if it does. */
  stopped: string | null
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601, or `null` while payment flows may pick it. */
  archivedAt: string | null
}

/** Where processors are looked up, and which drivers there are. */
interface Listing {
  db: Database
  registry: ProcessorRegistry
}

const readProcessors = rowReader(processorsTable)

/** An account's processors, the oldest first. */
function listProcessors(
  { db, registry }: Listing,
  accountId: string,
  filters: ProcessorFilters,
): Promise<ListedProcessor[]> {
  const { live, archived } = processorLists(registry)
  const list: ListTable<ListedProcessor> = {
    ...(filters.archived === true ? archived : live),
    async read(ids) {
      const rows = await readByIds(processorsTable, { table: 'processors', ids, accountId }, db)
      return rows.map((row) => toListed(row, registry))
    },
  }
  const conditions = equalTo('driver', filters.driver)
  return everyEntry(filters, (query) => readList(list, { accountId, query, filters: conditions, anyOf: null }, db))
}

/** The processor of an id, whosever it is, or `null`. */
async function findProcessor({ db, registry }: Listing, id: string): Promise<ListedProcessor | null> {
  const [row] = readProcessors(await db.read('SELECT * FROM processors WHERE id = ?', [id]))
  return row === undefined ? null : toListed(row, registry)
}

function toListed(row: RowOf<typeof processorsTable>, { find }: ProcessorRegistry): ListedProcessor {
  const { archived_at: archivedAt, driver: name } = row
  const driver = find(name)
  const config = row.config ?? {}
  const own = driver === null ? [] : ownSettings(driver.settings).map((setting) => setting.name)
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    driver: name,
    ...readProcessorSettings(row.config),
    driverSettings: Object.fromEntries(
      own.filter((setting) => (config[setting] ?? null) !== null).map((setting) => [setting, config[setting]]),
    ),
    hasWebhookSecret: row.sealed_webhook_secret !== null,
    stopped: driver === null ? `this platform has no driver '${name}'` : null,
    createdAt: new Date(row.created_at).toISOString(),
    archivedAt: archivedAt === null ? null : new Date(archivedAt).toISOString(),
  }
}
