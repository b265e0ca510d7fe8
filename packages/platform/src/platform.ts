import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pageAudiences } from '@tillwright/contract'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { joinCluster, processName } from './cluster/index.ts'
import type { Config } from './config.ts'
import { type Deliver, egress } from './events/index.ts'
import {
  allHandlers,
  allowPages,
  bodyBudget,
  type App,
  type BothOrigins,
  connectionLimit,
  type Health,
  healthOf,
  keepToHttps,
  type Listening,
  listenOnBoth,
  observeRequests,
  plainFailure,
  type LocalAccount,
  refuseOtherHosts,
  requestReader,
  routeAssetUpload,
  routeDocs,
  routeOperations,
  routePluginPages,
  routeProcessorEvents,
  routeSimulatedBank,
  serverContext,
  vaultApp,
} from './http/index.ts'
import { observePlatform } from './observe-platform.ts'
import { openRings, type PlatformKeys, type Rings, startRotation } from './platform-keys.ts'
import { createPlatformLog } from './platform-log.ts'
import { dnsTxtResolver, type PluginHosting, pluginsUrlOf, presetChecker, type ResolveTxt } from './plugins/index.ts'
import {
  checkProcessors,
  openDrivers,
  type ProcessorDriver,
  processorRegistry,
  type ProcessorRegistry,
  simulatorOf,
} from './processors/index.ts'
import type { Services } from './request-context.ts'
import { type Charging, circuitBreaker } from './routing/index.ts'
import { type ApiError, type Clock, steadyClock } from './runtime/index.ts'
import { checkSimulator, type Simulator } from './simulator.ts'
import {
  createTables,
  followSchema,
  type Migration,
  migrations,
  observedDatabase,
  openBlobs,
  openDatabase,
  placeOf,
  schemaOf,
} from './storage/index.ts'
import { openTelemetry } from './telemetry/index.ts'
import { type RunningThreeds, startThreeds } from './threeds/index.ts'
import {
  CodeKeys,
  openCardVault,
  openJweKeys,
  readFrameFiles,
  securityCodes,
  shareCodeKeys,
  siteverify,
  type VerifyChallenge,
} from './vault/index.ts'
import { platformVersion } from './version.ts'
import { randomnessFor, startWorkers } from './workers.ts'

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
  resolveTxt?: ResolveTxt
  /** Simulates processors and banks, from `@tillwright/bank-simulator`. Refused in production. */
  simulator?: Simulator
  /** Additional processor drivers, by driver name. */
  processors?: readonly ProcessorDriver[]
  /** The account for trying requests from the reference page, in `local` only; `null` until it exists. */
  localAccount?: () => LocalAccount | null
  /** The steps of the schema that this process knows, so that a test can stand for another version. */
  migrations?: readonly Migration[]
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
  const { clock = steadyClock(), resolveTxt = dnsTxtResolver() } = dependencies
  const log = (dependencies.log ?? createPlatformLog(config)).child({ process: processName })
  const { simulator = null, localAccount = () => null } = dependencies
  checkSimulator(simulator, config)
  const randomness = randomnessFor('requests', config)
  const steps = dependencies.migrations ?? migrations
  const { mode, contractAfterMs, statementMs: schemaStatementMs, acceptIncompleteCopy } = config.schema
  const warn = log.warn.bind(log)
  const telemetry = await openTelemetry(config, { version: platformVersion, warn })
  const opened = await openDatabase(
    { ...placeOf(config), schemaStatementMs, acceptIncompleteCopy },
    { migrations: steps, mode, contractAfterMs, log },
  ).catch(async (error: unknown) => {
    await telemetry.stop()
    throw error
  })
  const db = observedDatabase(opened, telemetry)
  const keys = await openRings(config, { db, clock, randomness: randomnessFor('keys', config) }).catch(
    async (error: unknown) => {
      await Promise.all([db.close(), telemetry.stop()])
      throw error
    },
  )
  const cluster = await joinCluster({ db, clock, log, schema: schemaOf(steps) }).catch(async (error: unknown) => {
    await keys.close()
    await Promise.all([db.close(), telemetry.stop()])
    throw error
  })
  const { box: secrets } = keys.secrets
  const cardVault = openCardVault(keys.cards.box, randomness)
  const { environment } = config
  const services: Services = { db, clock, randomness, secrets, cardVault, environment, log, telemetry, cluster }
  try {
    if (simulator !== null) await createTables(db, simulator.tables)
    const blobs = await openBlobs(config, clock)
    const added = [...(dependencies.processors ?? []), ...(simulator === null ? [] : [simulatorOf(simulator)])]
    const registry = processorRegistry(config.environment, added)
    const connections = connectionLimit(services)
    const servers = await listenOnBoth({ ...config, isLocal: config.environment === 'local', connections })
    const composed = { ...servers, keys, resolveTxt, blobs, registry, simulator, localAccount, steps }
    const running = await serve(services, config, composed).catch(async (error: unknown) => {
      await Promise.all([servers.api.stop(), servers.vault.stop()])
      throw error
    })
    return { ...running, metricsUrl: telemetry.metricsUrl }
  } catch (error) {
    await cluster.leave()
    await keys.close()
    await Promise.all([db.close(), telemetry.stop()])
    throw error
  }
}

interface Composed extends BothOrigins, Pick<PluginHosting, 'resolveTxt' | 'blobs'> {
  keys: Rings
  registry: ProcessorRegistry
  simulator: Simulator | null
  localAccount: () => LocalAccount | null
  steps: readonly Migration[]
}

async function serve(
  services: Services,
  config: Config,
  { api, vault, keys, resolveTxt, blobs, registry, simulator, localAccount, steps }: Composed,
): Promise<Omit<Platform, 'metricsUrl'>> {
  const stopping = new AbortController()
  const health = healthOf(services)
  const apiUrl = config.apiUrl ?? `http://${config.host}:${api.port}`
  const vaultUrl = config.vaultUrl ?? `http://${config.host}:${vault.port}`
  const docsUrl = `${apiUrl}/docs`
  // Everything that can fail comes before the workers, which would otherwise be left running.
  await checkProcessors(services, registry)
  const jweKeys = await openJweKeys({ ...services, cardKeys: keys.cards.box }, config.jweKeyAgeMs)
  const files = await readFrameFiles()
  const codeKeys = new CodeKeys({ ...services, cardKeys: keys.cards.box })
  const charging = chargingWith(services, registry, codeKeys)
  observePlatform(charging, config.home)
  const deliver = egress(services)
  const hosting = hostingFor(config, { apiUrl, vaultUrl, resolveTxt, blobs })
  const stopSharing = shareCodeKeys(codeKeys, services.log)
  const workers = startWorkers(charging, config, { docsUrl, deliver, blobs, simulator })
  const requests = requestReader(join(config.home, 'bodies'))
  const bodies = bodyBudget(config.bodies)
  const stopSchema = followSchema(services.db, steps, { ...config.schema, log: services.log })
  const { wake, noteKeyUse } = workers
  const shared = serverContext(services, { ...config, docsUrl, requests, bodies, wake, noteKeyUse })
  const threeds = startThreeds(services, { apiUrl, vaultUrl, simulator, stopping: stopping.signal })
  const handlers = allHandlers({
    charging,
    jweKeys,
    gate: { cardTries: shared.frameLimits, verifyChallenge: challengeVerifier(config, services, deliver) },
    threedsServer: threeds.server,
    hosting,
    stopping: stopping.signal,
  })

  const apiApp: App = new Hono()
  observeRequests(apiApp, 'api', services.telemetry)
  routePluginPages(apiApp, { serverContext: shared, hosting, apiUrl, vaultUrl })
  if (config.environment === 'local') refuseOtherHosts(apiApp, [apiUrl, vaultUrl])
  keepToHttps(apiApp, services.environment)
  health.route(apiApp)
  routeDocs(apiApp, { version: platformVersion, apiUrl, vaultUrl, serverContext: shared, localAccount })
  if (threeds.bank !== null) routeSimulatedBank(apiApp, threeds.bank, shared)
  routeProcessorEvents(apiApp, shared, registry)
  allowPages(apiApp)
  routeAssetUpload(apiApp, { serverContext: shared, blobs })
  routeOperations(apiApp, handlers, { serverContext: shared, audiences: ['key', 'admin', ...pageAudiences] })
  const failure = (error: ApiError) => plainFailure(error, shared)
  api.serve(apiApp, failure)
  const { clientCertHeader: certificateHeader } = config
  const vaultPages = { serverContext: shared, files, jweKeys, apiUrl, vaultUrl, threeds, certificateHeader, health }
  vault.serve(await vaultApp(handlers, vaultPages), failure)
  const places = { apiUrl, vaultUrl, port: api.port, vaultPort: vault.port, engine: services.db.engine }
  const { metricsUrl } = services.telemetry
  services.log.info({ ...places, environment: config.environment, metricsUrl }, 'platform started')
  const stopRotation = startRotation(keys, services)
  const behind = [workers.stop, stopSharing, stopRotation, stopSchema, requests.close, hosting.presets.close]
  const parts = { health, origins: [api, vault], stopThreeds: threeds.stop, behind, stopping, services, keys }
  const stop = () => stopInOrder(parts, config)
  return { apiUrl, vaultUrl, services, keys, receiveThreedsResult: threeds.receive, stop }
}

interface Parts {
  health: Health
  origins: readonly Listening[]
  stopThreeds: () => Promise<void>
  /** What works behind the origins. */
  behind: readonly (() => Promise<void>)[]
  stopping: AbortController
  services: Services
  keys: Rings
}

/**
 * Not ready at once, but still taking requests, until balancers have noticed. Then what was begun is finished: requests,
 * work in the background, and last the database. What cannot be finished in time is free for the other processes.
 */
async function stopInOrder(
  { health, origins, stopThreeds, behind, stopping, services, keys }: Parts,
  { drainMs }: Pick<Config, 'drainMs'>,
): Promise<void> {
  health.stop()
  for (const origin of origins) origin.drain()
  if (drainMs > 0) await delay(drainMs)
  stopping.abort()
  await Promise.all([...origins.map((origin) => origin.stop()), stopThreeds()])
  await Promise.all(behind.map((end) => end()))
  await services.cluster.leave()
  await keys.close()
  await services.db.close()
  await services.telemetry.stop()
  services.log.info('platform stopped')
}

function chargingWith(services: Services, registry: ProcessorRegistry, codeKeys: CodeKeys): Charging {
  return {
    services,
    driverOf: openDrivers(services, registry),
    hasDriver: (name) => registry.find(name) !== null,
    codes: securityCodes(services, codeKeys),
    circuit: circuitBreaker(services.clock),
  }
}

function hostingFor(
  config: Config,
  {
    apiUrl,
    vaultUrl,
    ...services
  }: Pick<Platform, 'apiUrl' | 'vaultUrl'> & Pick<PluginHosting, 'resolveTxt' | 'blobs'>,
): PluginHosting {
  return {
    ...services,
    pluginsUrl: config.pluginsUrl ?? pluginsUrlOf(apiUrl),
    ownHostnames: [apiUrl, vaultUrl].map((url) => new URL(url).hostname),
    presets: presetChecker(),
  }
}

/** Verifies captcha responses, if the operator has configured a provider. */
function challengeVerifier({ challenge }: Config, { clock }: Services, deliver: Deliver): VerifyChallenge | null {
  return challenge === undefined ? null : siteverify({ ...challenge, deliver, clock })
}
