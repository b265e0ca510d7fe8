import type { Contract, Processor } from '@tillwright/contract'
import { z } from 'zod'
import { changed, updateRow } from '../changes/index.ts'
import { emit } from '../events/index.ts'
import { equalTo, type ListTable, readList } from '../lists/index.ts'
import type { Handlers, RequestContext } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { readByIds, type RowOf } from '../storage/index.ts'
import {
  type Asker,
  checkedDriver,
  checkedSecret,
  checkedSettings,
  checkedWebhookSecret,
  divertedBy,
  type WantedSettings,
} from './check-wanted.ts'
import { checkSecret } from './check-secret.ts'
import type { ProcessorDriver } from './processor-driver.ts'
import { archiveProcessors, insertProcessor, requireRoomForProcessor } from './processors.ts'
import type { ProcessorRegistry } from './registry.ts'
import { ownSettings, sealProcessorSecret } from './settings.ts'
import { processorsTable, type SealedWebhookSecret } from './tables.ts'
import { keptWebhookSecrets, sealWebhookSecret } from './webhook-secret.ts'

/** The operations on processors. */
export function processors(registry: ProcessorRegistry): Omit<Handlers<Contract['processors']>, 'health'> {
  const { live, archived } = processorLists(registry)

  return {
    listDrivers: async (_, { services }) => ({
      body: { data: registry.drivers.map((driver) => describedDriver(driver, askerOf(services))) },
    }),

    async list({ query }, { caller: { accountId }, services: { db } }) {
      const filters = equalTo('driver', query.driver)
      const list = query.archived === true ? archived : live
      return { body: await readList(list, { accountId, query, filters, anyOf: null }, db) }
    },

    get: async ({ params }, context) => ({ body: await requireProcessor(params.processorId, registry, context) }),

    async check({ params: { processorId } }, { caller: { accountId }, services }) {
      return { body: { processorId, ...(await checkSecret({ processorId, accountId }, registry, services)) } }
    },

    create: createProcessor(registry),
    update: updateProcessor(registry),
    delete: archiveProcessors,
  }
}

type Operations = Handlers<Contract['processors']>

function createProcessor(registry: ProcessorRegistry): Operations['create'] {
  return async ({ body: { name, driver: driverName, settings, secret = null, webhookSecret } }, context) => {
    const { caller, services, nowMs } = context
    const asker = askerOf(services)
    const driver = checkedDriver(driverName, registry, asker)
    const checked = checkedSettings(settings, { driver }, asker)
    const ownSecret = checkedSecret(secret, driver, asker)
    const eventSecret = webhookSecret === undefined ? null : checkedWebhookSecret(webhookSecret, driver, asker)
    await requireRoomForProcessor(caller.accountId, services.db)
    const id = context.newId('processor')
    const createdAt = new Date(nowMs).toISOString()
    const processor: Processor = {
      id,
      accountId: caller.accountId,
      name,
      driver: driver.name,
      settings: shownSettings(checked),
      hasSecret: ownSecret !== null,
      hasWebhookSecret: eventSecret !== null,
      stopped: null,
      archived: false,
      archivedAt: null,
      createdAt,
      revision: 1,
      updatedAt: createdAt,
    }
    const row = {
      id,
      accountId: caller.accountId,
      name,
      driver: driver.name,
      settings: checked,
      ...(ownSecret !== null && { sealedSecret: sealProcessorSecret(ownSecret, id, services) }),
      ...(eventSecret !== null && { sealedWebhookSecret: sealWebhookSecret(eventSecret, { id }, services) }),
    }
    const change = { resource: { type: 'processor', id }, after: processor }
    const events = emit('s_processor_created', { properties: { processorId: id, name } }, context)
    return { body: processor, writes: [insertProcessor(row, nowMs), ...events], change }
  }
}

function updateProcessor(registry: ProcessorRegistry): Operations['update'] {
  return async ({ params, body: { secret, webhookSecret, ...sent } }, context) => {
    const current = await requireProcessor(params.processorId, registry, context)
    const secrets = { secret, webhookSecret }
    const replaced = Object.entries(secrets).flatMap(([name, text]) => (text === undefined ? [] : [name]))
    const change = changed({ what: 'processor', current, sent, unshown: replaced }, context)
    if (change === null) return { body: current }
    const { resource, fields } = change
    const former = webhookSecret === undefined ? [] : await keptWebhookSecrets(current, context.services.db)
    const { config, sealed } = checkedChange({ current, resource, fields, secrets, former }, registry, context.services)
    const processor: Processor = {
      ...resource,
      ...(config !== undefined && { settings: shownSettings(config) }),
      hasSecret: current.hasSecret || secret !== undefined,
      hasWebhookSecret: current.hasWebhookSecret || webhookSecret !== undefined,
    }
    const set = {
      updated_at: context.nowMs,
      ...(fields.includes('name') && { name: processor.name }),
      ...(config !== undefined && { config: JSON.stringify(config) }),
      ...sealed,
    }
    const { id: processorId, name, revision } = processor
    const properties = { processorId, name, revision, changed: [...fields] }
    return {
      body: processor,
      writes: [
        ...updateRow('processors', set, { accountId: context.caller.accountId, resource: processor }),
        ...emit('s_processor_updated', { properties }, context),
      ],
      change: {
        resource: { type: 'processor', id: processor.id },
        before: current,
        after: { ...processor, ...(replaced.length > 0 && { replaced }) },
      },
    }
  }
}

async function requireProcessor(
  id: string,
  registry: ProcessorRegistry,
  { caller, services }: RequestContext,
): Promise<Processor> {
  const [found] = await processorLists(registry).live.read([id], caller.accountId, services.db)
  if (found === undefined) throw missing('processor', id, 'processorId')
  return found
}

interface WantedChange {
  current: Processor
  resource: Processor
  fields: readonly string[]
  secrets: { secret: string | undefined; webhookSecret: string | undefined }
  /** The signing secrets that it has. */
  former: readonly SealedWebhookSecret[]
}

/** The columns of a change that its driver has a say in. */
function checkedChange(
  { current, resource, fields, secrets: { secret, webhookSecret }, former }: WantedChange,
  registry: ProcessorRegistry,
  services: RequestContext['services'],
): { config?: WantedSettings; sealed: Readonly<Record<string, string>> } {
  const changesSettings = fields.includes('settings')
  if (!changesSettings && secret === undefined && webhookSecret === undefined) return { sealed: {} }
  const asker = askerOf(services)
  const { id } = current
  const driver = checkedDriver(current.driver, registry, asker)
  const before = current.settings
  const config = changesSettings ? checkedSettings(resource.settings, { driver, before }, asker) : undefined
  const [diverted] = changesSettings ? divertedBy(resource.settings, { driver, before }) : []
  if (diverted !== undefined && current.hasSecret && secret === undefined) {
    throw asker.refuse(['secret'], `must be sent again, because settings.${diverted} says where it goes from now on`)
  }
  const ownSecret = secret === undefined ? null : checkedSecret(secret, driver, asker)
  const eventSecret = webhookSecret === undefined ? null : checkedWebhookSecret(webhookSecret, driver, asker)
  return {
    ...(config !== undefined && { config }),
    sealed: {
      ...(ownSecret !== null && { sealed_secret: sealProcessorSecret(ownSecret, id, services) }),
      ...(eventSecret !== null && { sealed_webhook_secret: sealWebhookSecret(eventSecret, { id, former }, services) }),
    },
  }
}

/** Over HTTP a processor's URL cannot be set outside `local`: the platform would send a secret there. */
function askerOf({ environment }: Pick<RequestContext['services'], 'environment'>): Asker {
  return {
    environment,
    mayDivert: environment === 'local',
    giveSecret: 'send it as `secret`',
    refuse(path, problem) {
      const param = path.reduce<string>(
        (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}${text && '.'}${String(step)}`),
        '',
      )
      return new ApiError('parameter_invalid', `${param}: ${problem}.`, { param })
    },
  }
}

/** A driver, with what may be set here. */
function describedDriver(driver: ProcessorDriver, { mayDivert }: Asker) {
  const { name, title, settings, secret, events, capabilities } = driver
  const { properties: all = {}, ...schema } = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' })
  const refused = ownSettings(settings).flatMap((own) => (own.option.inProduction || mayDivert ? [] : [own.name]))
  const properties = Object.entries(all).filter(([property]) => !refused.includes(property))
  return {
    driver: name,
    title,
    settings: { ...schema, properties: Object.fromEntries(properties) },
    secret: secret?.called ?? null,
    webhookSecret: events?.secret.called ?? null,
    movesMoney: capabilities.movesMoney,
  }
}

/** The list of processors that payment flows may pick, and that of the archived ones. */
export function processorLists(registry: ProcessorRegistry): {
  live: ListTable<Processor>
  archived: ListTable<Processor>
} {
  const list: Omit<ListTable<Processor>, 'only'> = {
    table: 'processors',
    orderedBy: { id: 'processor' },
    indexed: [],
    async read(ids, accountId, db) {
      const rows = await readByIds(processorsTable, { table: 'processors', ids, accountId }, db)
      return rows.map((row) => toProcessor(row, registry))
    },
  }
  return { live: { ...list, only: 'archived_at IS NULL' }, archived: { ...list, only: 'archived_at IS NOT NULL' } }
}

function toProcessor(row: RowOf<typeof processorsTable>, { find }: ProcessorRegistry): Processor {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    driver: row.driver,
    settings: shownSettings(row.config ?? {}),
    hasSecret: row.sealed_secret !== null,
    hasWebhookSecret: row.sealed_webhook_secret !== null,
    stopped: find(row.driver) === null ? `this platform has no driver '${row.driver}'` : null,
    archived: row.archived_at !== null,
    archivedAt: row.archived_at === null ? null : new Date(row.archived_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    revision: row.revision,
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/** The settings that are not the default, so that a merge patch can clear each by null. */
function shownSettings(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(config).filter(([, value]) => value !== null && value !== undefined)
  // Without the fields that are undefined.
  return JSON.parse(JSON.stringify(Object.fromEntries(given)))
}
