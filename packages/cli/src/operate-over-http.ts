import type { Client, TillwrightError } from '@tillwright/client'
import type { Processor } from '@tillwright/contract'
import { choices, type ListedAccount, type ListedProcessor, type Operator, type PluginUse } from '@tillwright/platform'
import { kebab } from './option-values.ts'
import type { Connection } from './target/connect.ts'
import { CommandFailed } from './terminal/fail-with.ts'
import { interruption } from './terminal/interaction.ts'

/** Operations on one account, with the same types on the database and over HTTP. */
export interface AccountOperator {
  account: {
    get(): Promise<ListedAccount & PluginUse>
    update(
      change: Pick<Parameters<Operator['accounts']['update']>[1], 'name' | 'threedsProvider'>,
    ): Promise<ListedAccount>
  }
  keys: Operator['keys']
  webhooks: Operator['webhooks']
  deliveries: Operator['deliveries']
  processors: Omit<Operator['processors'], 'stopped'>
}

/** The same work by operations of the API, with the rights of a key. */
export function operatorOverHttp({ client, key }: Connection): AccountOperator {
  const { accountId } = key
  return {
    account: accountOver(client),
    keys: keysOver(client),
    webhooks: webhooksOver(client),
    deliveries: deliveriesOver(client, accountId),
    processors: processorsOver(client),
  }
}

function accountOver({ accounts }: Client): AccountOperator['account'] {
  const listed = ({ limits, ...account }: Awaited<ReturnType<Client['accounts']['get']>>): ListedAccount => ({
    id: account.id,
    name: account.name,
    plan: account.plan,
    rateLimit: { perMinute: limits.requestsPerMinute, burst: limits.burst },
    ownRateLimit: limits.ownRateLimit,
    threedsProvider: account.threedsProvider,
    pagesOffSince: account.pagesOffSince,
    createdAt: account.createdAt,
  })
  return {
    async get() {
      const account = await accounts.get({}, stoppable())
      const { deployments, pluginFiles, pluginBytes } = account.limits
      return { ...listed(account), deployments, pluginFiles, pluginBytes }
    },
    async update(change) {
      const { revision } = await accounts.get({}, stoppable())
      return listed(await accounts.update({ ...change, revision }, stoppable()))
    },
  }
}

function keysOver({ apiKeys }: Client): Operator['keys'] {
  type Created = Awaited<ReturnType<Client['apiKeys']['create']>>
  const shown = ({ apiKey, key }: Created) => ({ ...apiKey, key })
  const common = ({ name, expiresAtMs }: { name?: string; expiresAtMs?: number }) => ({
    ...(name !== undefined && { name: name.trim() }),
    ...(expiresAtMs !== undefined && { expiresAt: new Date(expiresAtMs).toISOString() }),
  })
  return {
    createSecret: async ({ roles, scopes, ...wanted }) =>
      shown(
        await apiKeys.create(
          { kind: 'secret', roles: [...new Set(roles)], scopes: [...new Set(scopes)], ...common(wanted) },
          stoppable(),
        ),
      ),
    createPublishable: async ({ store, origins, ...wanted }) =>
      shown(
        await apiKeys.create(
          { kind: 'publishable', storeId: store, allowedOrigins: [...origins], ...common(wanted) },
          stoppable(),
        ),
      ),
    list: (_, filters) => allOf(apiKeys.list.all({ ...filters, ...OLDEST_FIRST }, stoppable())),
    get: (id) => apiKeys.get({ keyId: id }, stoppable()),
    roll: async (id, overlapHours) =>
      shown(await apiKeys.roll({ keyId: id, ...(overlapHours !== undefined && { overlapHours }) }, stoppable())),
    revoke: (id) => apiKeys.revoke({ keyId: id }, stoppable()),
  }
}

function webhooksOver({ webhookEndpoints: endpoints }: Client): Operator['webhooks'] {
  const get = (id: string) => endpoints.get({ endpointId: id }, stoppable())
  const shown = ({ endpoint, secret }: Awaited<ReturnType<typeof endpoints.create>>) => ({ ...endpoint, secret })
  return {
    async add({ url, eventTypes, drafts, store }) {
      const types = eventTypes === '*' ? eventTypes : [...eventTypes]
      const storeId = store === undefined ? {} : { storeId: store }
      return shown(await endpoints.create({ url, eventTypes: types, drafts, ...storeId }, stoppable()))
    },
    list: (_, filters) => allOf(endpoints.list.all({ ...filters, ...OLDEST_FIRST }, stoppable())),
    get,
    async enable(id) {
      const { revision } = await get(id)
      return endpoints.update({ endpointId: id, enabled: true, revision }, stoppable())
    },
    rotate: async (id, overlapHours) =>
      shown(
        await endpoints.rotateSecret(
          { endpointId: id, ...(overlapHours !== undefined && { overlapHours }) },
          stoppable(),
        ),
      ),
    remove: (id) => endpoints.delete({ endpointId: id }, stoppable()),
  }
}

function deliveriesOver({ webhookEndpoints: endpoints, eventLog }: Client, accountId: string): Operator['deliveries'] {
  return {
    list({ endpoint, state, limit, after }) {
      const wanted = {
        ...(endpoint !== undefined && { endpointId: endpoint }),
        ...(state !== undefined && { state }),
        ...(limit !== undefined && { limit }),
        ...(after !== undefined && { after }),
      }
      return endpoints.listDeliveries(wanted, stoppable())
    },
    async replay({ event: eventId, endpoint }) {
      const replayed =
        endpoint === undefined
          ? await eventLog.replay({ eventId }, stoppable())
          : await endpoints.replay({ endpointId: endpoint, eventId }, stoppable())
      return { accountId, ...replayed }
    },
    async *replayRange({ endpoint: endpointId, fromMs, toMs, which, after: begin }) {
      const period = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), which }
      for (let after = begin, hasMore = true; hasMore;) {
        const next = after === undefined ? {} : { after }
        const page = await endpoints.replayRange({ endpointId, ...period, ...next }, stoppable())
        if (page.after === null || (page.replayed === 0 && !page.hasMore)) return
        yield { replayed: page.replayed, after: page.after }
        after = page.after
        hasMore = page.hasMore
      }
    },
  }
}

function processorsOver({ processors }: Client): AccountOperator['processors'] {
  const get = async (id: string) => toListed(await processors.get({ processorId: id }, stoppable()))
  return {
    async add({ name, driver, secret, settings }) {
      const given = Object.entries(settings).filter(([, value]) => value !== null && value !== undefined)
      const body = { name: name.trim(), driver, settings: Object.fromEntries(given) }
      const typed = secret?.trim() ?? ''
      return toListed(await processors.create({ ...body, ...(typed !== '' && { secret: typed }) }, stoppable()))
    },
    list: async (_, filters) =>
      (await allOf(processors.list.all({ ...filters, ...OLDEST_FIRST }, stoppable()))).map(toListed),
    get,
    check: (id) => processors.check({ processorId: id }, stoppable()),
    async setWebhookSecret(id, secret) {
      const typed = secret?.trim() ?? ''
      if (typed === '') throw new CommandFailed(`--secret-from-stdin: the secret is missing; ${GIVE_SECRET}.`)
      const { revision } = await processors.get({ processorId: id }, stoppable())
      const change = { processorId: id, webhookSecret: typed, revision }
      return toListed(await processors.update(change, stoppable()))
    },
    async archive(id) {
      await processors.delete({ processorIds: [id] }, stoppable())
      return get(id)
    },
  }
}

async function allOf<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const entry of entries) all.push(entry)
  return all
}

const GIVE_SECRET = 'pipe it in, or set TILLWRIGHT_PROCESSOR_SECRET'
const OLDEST_FIRST = { order: 'asc', limit: 100 } as const

function stoppable() {
  return { signal: interruption() }
}

/** A processor as the commands show it. */
export function toListed(processor: Processor): ListedProcessor {
  const { id, accountId, name, driver, settings, hasWebhookSecret, stopped, createdAt, archivedAt } = processor
  // The platform has checked them by the schema that the type of the listed settings is made of.
  const { currencies = null, brands = null, merchant = null, acquirer = null } = settings as Partial<ListedProcessor>
  const own = choices.drivers.find((each) => each.name === driver)?.settings.map((each) => each.name) ?? []
  const driverSettings = Object.fromEntries(Object.entries(settings).filter(([setting]) => own.includes(setting)))
  const shown = { currencies, brands, merchant, acquirer, driverSettings }
  return { id, accountId, name, driver, ...shown, hasWebhookSecret, stopped, createdAt, archivedAt }
}

/** Options of commands by the parameters of operations; those of drivers are made of their names. */
const optionsOf: Readonly<Record<string, string>> = {
  ...choices.processorOptions,
  name: '--name',
  expiresAt: '--expires',
  roles: '--role',
  scopes: '--scope',
  storeId: '--store',
  allowedOrigins: '--origin',
  overlapHours: '--overlap',
  threedsProvider: '--threeds-provider',
  eventTypes: '--event',
  from: '--from',
  to: '--to',
  limit: '--limit',
  after: '--after',
}

/** Where the ids of a kind are found. */
const listsOf: Readonly<Record<string, string>> = {
  keyId: 'keys list',
  endpointId: 'webhooks list',
  processorId: 'processors list',
  processorIds: 'processors list',
  eventId: 'webhooks deliveries',
}

/**
 * A refusal of the API in terms of the command, with the exit code that it has on the database. Missing rights, an
 * unreachable platform and anything else stay what they are.
 */
export function inTermsOfCommand(error: unknown): unknown {
  if (!isRefusal(error)) return error
  const { param } = error
  const message = error.message.replace('send it as `secret`', GIVE_SECRET)
  if (param === null) return new CommandFailed(message)
  const names = param.split('.').map((name) => name.replace(/\[\d+\]$/, ''))
  const list = error.code === 'resource_missing' ? listsOf[names[0] ?? ''] : undefined
  if (list !== undefined)
    return new CommandFailed(`${message.replace(/\.$/, '')}; "tillwright ${list}" shows those there are.`)
  const known = names
    .toReversed()
    .map((name) => optionsOf[name])
    .find((each) => each !== undefined)
  const option = known ?? (names[0] === 'settings' ? `--${kebab(names[1] ?? '')}` : param)
  const rest = [`${param}: `, `${param} `, `\`${param}\` `].find((start) => message.startsWith(start)) ?? ''
  return new CommandFailed(`${option}: ${message.slice(rest.length)}`)
}

/** Whether the platform has refused what the command asked for, other than for lack of rights or a lost race. */
function isRefusal(error: unknown): error is TillwrightError {
  if (!(error instanceof Error) || error.name !== 'TillwrightError') return false
  const { status, code } = Object(error)
  return [400, 404, 409, 422].includes(status) && code !== 'revision_conflict'
}
