import { join } from 'node:path'
import type { Logger } from 'pino'
import { apiOrigin } from './api-origin.ts'
import { joinCluster, processName } from './cluster/index.ts'
import type { Config } from './config.ts'
import { consoleAt } from './console-at.ts'
import { type Deliver, egress } from './events/index.ts'
import { hookCaller, hookWayOut } from './hooks/index.ts'
import {
  allHandlers,
  bodyBudget,
  type BothOrigins,
  connectionLimit,
  erasedAnswer,
  healthOf,
  listenOnBoth,
  type TwoPlaces,
  plainFailure,
  type LocalAccount,
  requestReader,
  serverContext,
  SIMULATED_WALLETS,
  type TestClock,
  vaultApp,
} from './http/index.ts'
import { observePlatform } from './observe-platform.ts'
import { openRings, type PlatformKeys, type Rings, startRotation } from './platform-keys.ts'
import { createPlatformLog } from './platform-log.ts'
import { nameServers, type PluginHosting, pluginsUrlOf, presetChecker, type NameServers } from './plugins/index.ts'
import { personalTables } from './privacy/index.ts'
import {
  checkProcessors,
  openDrivers,
  type ProcessorDriver,
  processorRegistry,
  type ProcessorRegistry,
  simulatorOf,
} from './processors/index.ts'
import type { Services } from './request-context.ts'
import { isVaultAlone, namesOf, originsOf, usesHome } from './roles.ts'
import { type Charging, circuitBreaker } from './routing/index.ts'
import { type ApiError, type Clock, type Randomness, steadyClock } from './runtime/index.ts'
import { checkSimulator, type Simulator, simulatorPersonalData } from './simulator.ts'
import { stopInOrder } from './stop-platform.ts'
import {
  closedBlobs,
  createTables,
  followSchema,
  type Migration,
  migrations,
  observedDatabase,
  openBlobs,
  openDatabase,
  type PersonalTable,
  placeOf,
  schemaOf,
  takeHome,
} from './storage/index.ts'
import { openTelemetry } from './telemetry/index.ts'
import { type RunningThreeds, startThreeds } from './threeds/index.ts'
import { GoogleRootKeys, openCardVault, siteverify, type VerifyChallenge } from './vault/index.ts'
import { requestListeners } from './request-listeners.ts'
import { platformVersion } from './version.ts'
import { closedVault, openOwnVault, remoteVault, type RemoteVault, takeCalls } from './vault-calls.ts'
import { randomnessFor, startWorkers, withoutWorkers } from './workers.ts'

/** A platform at work. */
export interface Platform {
  apiUrl: string
  vaultUrl: string
  /** Where Prometheus reads this process's metrics; `null` where they are off. */
  metricsUrl: string | null
  services: Services
  /** The keys, and how often each was used. */
  keys: Rings
  /** Receives what directory servers say of challenges: an RReq as JSON, answered by an RRes or an Erro. */
  receiveThreedsResult: RunningThreeds['receive']
  /** Finishes requests, stops the workers, closes the database. */
  stop: () => Promise<void>
}

/** Dependencies that tests and the local platform may replace; the machine's own by default. */
export interface PlatformDependencies {
  clock?: Clock
  log?: Logger
  names?: NameServers
  /** Simulates processors and banks, from `@tillwright/bank-simulator`. Refused in production. */
  simulator?: Simulator
  /** Additional processor drivers, by driver name. */
  processors?: readonly ProcessorDriver[]
  /** The account for trying requests from the reference page, in `local` only; `null` until it exists. */
  localAccount?: () => LocalAccount | null
  /** The clock, where its developer may move it: in `local` only. */
  testClock?: TestClock
  /** The steps of the schema that this process knows, so that a test can stand for another version. */
  migrations?: readonly Migration[]
  /** Replaces the connections to the machine and its network. */
  connections?: Connections
}

/** Connections of a process to the outside: its database, its files, its listeners, and the addresses that accounts name. */
export interface Connections {
  openDatabase: typeof openDatabase
  openBlobs: typeof openBlobs
  listen: typeof listenOnBoth
  /** Takes webhooks and questions of hooks out, instead of the thread and the connections for them. */
  deliver: Deliver
}

/**
 * Starts a platform: the API's origin, the vault's origin and the workers behind them.
 *
 * @throws {OperatorError} In production with a simulator or a simulated processor in a live payment flow, in `local`
 *   without a simulator.
 */
export async function startPlatform(
  config: Config & PlatformKeys,
  dependencies: PlatformDependencies = {},
): Promise<Platform> {
  const opened: (() => Promise<unknown>)[] = []
  try {
    return await start(config, dependencies, (close) => opened.unshift(close))
  } catch (error) {
    for (const close of opened) await close()
    throw error
  }
}

/** @param onFailure Takes what closes what was opened, for when a later step fails. */
async function start(
  config: Config & PlatformKeys,
  dependencies: PlatformDependencies,
  onFailure: (close: () => Promise<unknown>) => void,
): Promise<Platform> {
  const { clock = steadyClock(), names = nameServers(), connections } = dependencies
  const log = (dependencies.log ?? createPlatformLog(config)).child({ process: processName })
  const { simulator = null, localAccount = () => null, testClock = null, migrations: steps = migrations } = dependencies
  const {
    openDatabase: open,
    openBlobs: openFiles,
    listen,
  } = connections ?? { openDatabase, openBlobs, listen: listenOnBoth }
  checkSimulator(simulator, config)
  const randomness = randomnessFor('requests', config)
  const { mode, contractAfterMs, statementMs: schemaStatementMs, acceptIncompleteCopy } = config.schema
  const warn = log.warn.bind(log)
  const telemetry = await openTelemetry(config, { version: platformVersion, warn })
  onFailure(() => telemetry.stop())
  if (connections === undefined && usesHome(config)) await takeHome(config.home)
  const opened = await open(
    { ...placeOf(config), schemaStatementMs, acceptIncompleteCopy },
    { migrations: steps, mode, contractAfterMs, log },
  )
  const db = observedDatabase(opened, telemetry)
  onFailure(() => db.close())
  const keys = await openRings(config, { db, clock, randomness: randomnessFor('keys', config), log })
  onFailure(() => keys.close())
  const { box: secrets } = keys.secrets
  const { remote, cardVault } = cardsOf(config, keys, randomness)
  const cluster = await joinCluster({ db, clock, log, roles: namesOf(config.roles), schema: schemaOf(steps) })
  onFailure(() => cluster.leave())
  const { environment } = config
  const callHook = hookCaller({ deliver: connections?.deliver ?? hookWayOut({ clock, environment }) })
  const own = { db, clock, randomness, secrets, cardVault, environment, log, telemetry, cluster }
  const services: Services = { ...own, callHook }
  if (simulator !== null) await createTables(db, simulator.tables)
  const blobs = isVaultAlone(config.roles) ? closedBlobs : await openFiles(config, clock)
  const bankUrl = () => `${apiUrlOf(config, servers.api)}/acs`
  const simulated = simulator === null ? [] : [simulatorOf(simulator, bankUrl)]
  const added = [...(dependencies.processors ?? []), ...simulated]
  const registry = processorRegistry(config.environment, added)
  const servers = await listen(placesOf(config, connectionLimit(services)))
  onFailure(() => Promise.all([servers.api?.stop(), servers.vault?.stop()]))
  const parts = { keys, remote, names, blobs, registry, simulator, localAccount, testClock, steps }
  const running = await serve(services, config, { ...servers, ...parts, deliver: connections?.deliver })
  return { ...running, metricsUrl: telemetry.metricsUrl }
}

/** The origin of the API, which may be another process's. */
function apiUrlOf({ apiUrl, host }: Pick<Config, 'apiUrl' | 'host'>, api: Partial<BothOrigins>['api']): string {
  return apiUrl ?? `http://${host}:${api?.port}`
}

function placesOf(config: Config, connections: TwoPlaces['connections']): TwoPlaces {
  return { ...config, isLocal: config.environment === 'local', connections, origins: originsOf(config.roles) }
}

/** How this process comes to cards: with the card key, by asking one that has it, or not at all. */
function cardsOf(config: Config, { cards }: Rings, randomness: Randomness) {
  const remote = cards === null ? remoteVault(config) : null
  const cardVault = cards === null ? (remote ?? closedVault).cardVault : openCardVault(cards.box, randomness)
  return { remote, cardVault }
}

interface Composed extends BothOrigins, Pick<PluginHosting, 'names' | 'blobs'> {
  keys: Rings
  remote: RemoteVault | null
  registry: ProcessorRegistry
  simulator: Simulator | null
  localAccount: () => LocalAccount | null
  testClock: TestClock | null
  steps: readonly Migration[]
  deliver: Deliver | undefined
}

async function serve(
  services: Services,
  config: Config,
  { api, vault, keys, remote, names, blobs, registry, simulator, localAccount, testClock, steps, deliver }: Composed,
): Promise<Omit<Platform, 'metricsUrl'>> {
  const stopping = new AbortController()
  const health = healthOf(services)
  const { roles } = config
  const apiUrl = apiUrlOf(config, api)
  const vaultUrl = config.vaultUrl ?? `http://${config.host}:${vault?.port}`
  const docsUrl = `${apiUrl}/docs`
  // Everything that can fail comes before the workers, which would otherwise be left running.
  const own = keys.cards === null ? null : await openOwnVault({ ...services, cardKeys: keys.cards.box }, config)
  await checkProcessors(services, registry)
  const charging = { ...chargingWith(services, registry, own ?? remote ?? closedVault), apiUrl }
  const hosting = hostingFor(config, { apiUrl, vaultUrl, names, blobs })
  const personal = personalData(simulator, erasedAnswer(docsUrl, services))
  const workers = roles.has('worker')
    ? startWorkers(charging, config, { apiUrl, docsUrl, blobs, simulator, personal, deliver })
    : withoutWorkers(services)
  const requests = requestReader(join(config.home, 'bodies'))
  const bodies = bodyBudget(config.bodies)
  const stopWatching = observePlatform(charging, { config, keys, bodies })
  const stopSchema = followSchema(services.db, steps, { ...config.schema, log: services.log })
  const console = consoleAt(apiUrl, config, { services, localAccount, steps })
  const listeners = requestListeners(workers, services, { stopping: stopping.signal, docsUrl, movable: testClock })
  const shared = serverContext(services, { ...config, ...console, docsUrl, requests, bodies, ...listeners })
  const places = { apiUrl, vaultUrl }
  const simulated = simulator && { ...simulator.wallets, scriptUrl: `${vaultUrl}${SIMULATED_WALLETS}.js` }
  const threeds = startThreeds(services, { ...places, simulator, stopping: stopping.signal, ...remote })
  const handlers = allHandlers({
    charging,
    jweKeys: own?.jweKeys ?? null,
    gate: { cardTries: shared.frameLimits, verifyChallenge: challengeVerifier(config, services) },
    walletServices: { simulated, googleRootKeys: new GoogleRootKeys(config.environment) },
    threedsServer: threeds.server,
    hosting,
    registry,
    personal,
    ...console,
    ...listeners,
  })

  const failure = (error: ApiError) => plainFailure(error, shared)
  const serving = { ...places, serverContext: shared, handlers, health, threeds }
  api?.serve(apiOrigin(serving, config, { charging, hosting, registry, localAccount }), failure)
  if (vault !== null && own !== null) {
    const { clientCertHeader: certificateHeader } = config
    vault.serve(await vaultApp(handlers, { ...serving, ...own, certificateHeader, simulated }), failure)
  }
  const channel = await takeCalls(config, charging, threeds)
  const ports = { port: api?.port, vaultPort: vault?.port, channelPort: channel?.port }
  logStart(services, config, { ...places, ...ports })

  const stopWorkers = () => Promise.all([stopWatching(), workers.stop().then(() => remote?.close())])
  const ends = [channel?.stop, own?.stopSharing, startRotation(keys, services)].filter((end) => end !== undefined)
  const behind = [stopWorkers, listeners.stopListeners, stopSchema, requests.close, hosting.presets.close, ...ends]
  const origins = [api, vault].filter((origin) => origin !== null)
  const { unfinished } = shared
  const parts = { health, origins, unfinished, stopThreeds: threeds.stop, behind, stopping, services, keys }
  return { ...places, services, keys, receiveThreedsResult: threeds.receive, stop: () => stopInOrder(parts, config) }
}

function logStart({ telemetry, db, log }: Services, { roles, environment }: Config, places: object): void {
  const { metricsUrl } = telemetry
  log.info({ ...places, roles: [...roles], engine: db.engine, environment, metricsUrl }, 'platform started')
}

function personalData(simulator: Simulator | null, answer: ReturnType<typeof erasedAnswer>): readonly PersonalTable[] {
  return [...personalTables(answer), ...(simulator === null ? [] : simulatorPersonalData)]
}

function chargingWith(
  services: Services,
  registry: ProcessorRegistry,
  { codes, present }: Pick<Charging, 'codes' | 'present'>,
): Charging {
  const circuit = circuitBreaker(services.clock)
  services.cluster.tellCircuits(circuit.tripped)
  return {
    services,
    driverOf: openDrivers(services, registry),
    capabilitiesOf: (name) => registry.find(name)?.capabilities ?? null,
    codes,
    ...(present && { present }),
    circuit,
  }
}

function hostingFor(
  config: Config,
  { apiUrl, vaultUrl, ...services }: Pick<Platform, 'apiUrl' | 'vaultUrl'> & Pick<PluginHosting, 'names' | 'blobs'>,
): PluginHosting {
  return {
    ...services,
    pluginsUrl: config.pluginsUrl ?? pluginsUrlOf(apiUrl),
    ownHostnames: [apiUrl, vaultUrl].map((url) => new URL(url).hostname),
    presets: presetChecker(),
  }
}

/** Verifies captcha responses, if the operator has configured a provider. */
function challengeVerifier({ challenge }: Config, { clock, environment }: Services): VerifyChallenge | null {
  return challenge === undefined ? null : siteverify({ ...challenge, deliver: egress({ clock, environment }), clock })
}
