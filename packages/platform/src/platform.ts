import { pageAudiences } from '@tillwright/contract'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { startKeyUses, type KeyUses } from './accounts/key-uses.ts'
import { systemClock, type Clock } from './ambient/clock.ts'
import { seededRandomness, systemRandomness, type Randomness } from './ambient/randomness.ts'
import { secretBox } from './ambient/secret-box.ts'
import type { Parts } from './call.ts'
import type { Config } from './config.ts'
import { takeBackClaims } from './events/claim-deliveries.ts'
import { egress, type Deliver } from './events/egress.ts'
import { startWebhookWorker } from './events/webhook-worker.ts'
import { allHandlers } from './handlers/handlers.ts'
import { allowPages } from './http/allow-pages.ts'
import { routeAcs } from './http/acs.ts'
import { routeOperations, type App } from './http/api-app.ts'
import { routeDocs } from './http/docs.ts'
import { routeHealth } from './http/health.ts'
import { keepToHttps } from './http/origin-headers.ts'
import { routeAssetUpload } from './http/asset-upload.ts'
import { listen, type Listening } from './http/listen.ts'
import { routePluginPages } from './http/plugin-pages.ts'
import { routeProcessorEvents } from './http/processor-events.ts'
import { replyAnswer } from './http/reply-answer.ts'
import { serving } from './http/serving.ts'
import { startSweeper } from './http/sweeper.ts'
import { vaultApp } from './http/vault-pages.ts'
import type { Charging } from './payments/attempts/charge-card.ts'
import { circuitBreaker } from './payments/routing/circuit-breaker.ts'
import { openDrivers } from './payments/processors/open-drivers.ts'
import { startWaitingPayments } from './payments/end-waiting-payments.ts'
import { createPlatformLog } from './platform-log.ts'
import { startPaymentRecovery } from './payments/recover-payments.ts'
import { refuseSimulators } from './payments/routing/refuse-simulators.ts'
import { startThreeds, type RunningThreeds } from './payments/threeds/start-threeds.ts'
import { startRenewals } from './payments/subscriptions/renew-subscriptions.ts'
import type { PluginHosting } from './plugins/plugin-hosting.ts'
import { pluginsUrlOf } from './plugins/serve/plugins-url.ts'
import { dnsTxtResolver, type ResolveTxt } from './plugins/domains/resolve-txt.ts'
import { toSessionPayment } from './sessions/session-payment.ts'
import type { Blobs } from './storage/blobs/blobs.ts'
import { openBlobs } from './storage/blobs/open-blobs.ts'
import { openDatabase } from './storage/open-database.ts'
import { checkMasterKey } from './vault/check-master-key.ts'
import { cvcMemory } from './vault/cvc-memory.ts'
import { readFrameFiles } from './vault/frame-files.ts'
import { openJweKeys } from './vault/jwe-keys.ts'
import { siteverify, type VerifyChallenge } from './vault/siteverify.ts'
import { platformVersion } from './version.ts'

/** A platform at work. */
export interface Platform {
  apiUrl: string
  vaultUrl: string
  parts: Parts
  /** Receives what directory servers say of challenges: an RReq as JSON, answered by an RRes or an Erro. */
  receiveThreedsResult: RunningThreeds['receive']
  /** Finishes requests, stops the workers, closes the database. */
  stop: () => Promise<void>
}

/** What a test or the local platform may replace; the machine's own otherwise. */
export interface Surroundings {
  clock?: Clock
  log?: Logger
  resolveTxt?: ResolveTxt
}

/** Starts a platform: the API's origin, the vault's origin and the workers behind them. */
export async function startPlatform(
  config: Config & { vaultKey: Uint8Array },
  surroundings: Surroundings = {},
): Promise<Platform> {
  const { clock = systemClock, log = createPlatformLog(config), resolveTxt = dnsTxtResolver() } = surroundings
  const randomness = randomnessFor('requests', config)
  const db = await openDatabase({
    folder: config.home,
    ...(config.databaseUrl !== undefined && { url: config.databaseUrl }),
  })
  const secrets = secretBox(config.vaultKey, randomness)
  const parts: Parts = { db, clock, randomness, secrets, environment: config.environment, log }
  try {
    const blobs = await openBlobs(config, clock)
    const servers = await listenTwice(config)
    return await serve(parts, config, { ...servers, resolveTxt, blobs }).catch(async (error: unknown) => {
      await Promise.all([servers.api.stop(), servers.vault.stop()])
      throw error
    })
  } catch (error) {
    await db.close()
    throw error
  }
}

interface Servers {
  api: Listening
  vault: Listening
}

/** Both origins or neither: one that listened alone would keep the process alive. */
async function listenTwice({ host, port, vaultPort }: Config): Promise<Servers> {
  const api = await listen(host, port)
  try {
    return { api, vault: await listen(host, vaultPort) }
  } catch (error) {
    await api.stop()
    throw error
  }
}

/** Workers draw from streams of their own: when they do is not the same in two runs, and would change what requests draw. */
function randomnessFor(
  drawer: 'requests' | 'recovery' | 'renewals' | 'sweeping' | 'waiting' | 'webhooks',
  { seed }: Config,
): Randomness {
  return seed === undefined ? systemRandomness() : seededRandomness(`${seed} ${drawer}`)
}

async function serve(
  parts: Parts,
  config: Config,
  { api, vault, resolveTxt, blobs }: Servers & Pick<PluginHosting, 'resolveTxt' | 'blobs'>,
): Promise<Platform> {
  const stopping = new AbortController()
  const apiUrl = config.apiUrl ?? `http://${config.host}:${api.port}`
  const vaultUrl = config.vaultUrl ?? `http://${config.host}:${vault.port}`
  const docsUrl = `${apiUrl}/docs`

  // All that can fail comes before the workers, which nobody would stop.
  await checkMasterKey(parts)
  await refuseSimulators(parts)
  if (parts.db.engine === 'sqlite') await parts.db.write([takeBackClaims(parts.clock.now())])
  const jweKeys = await openJweKeys(parts, config.jweKeyAgeMs)
  const files = await readFrameFiles()
  const charging = {
    parts,
    driverOf: openDrivers(parts),
    cvcs: cvcMemory(parts.clock, stopping.signal),
    circuit: circuitBreaker(parts.clock),
  }
  const deliver = egress(parts)
  const hosting = hostingFor(config, { apiUrl, vaultUrl, resolveTxt, blobs })
  const workers = startWorkers(charging, config, { docsUrl, deliver, blobs })
  const shared = serving(parts, { ...config, docsUrl, wake: workers.wake, noteKeyUse: workers.noteKeyUse })
  const threeds = startThreeds(parts, { apiUrl, vaultUrl, stopping: stopping.signal })
  const handlers = allHandlers({
    charging,
    jweKeys,
    gate: { cardTries: shared.frameLimits, verifyChallenge: challengeVerifier(config, parts, deliver) },
    threedsServer: threeds.server,
    hosting,
    stopping: stopping.signal,
  })

  const apiApp: App = new Hono()
  routePluginPages(apiApp, { serving: shared, hosting, apiUrl, vaultUrl })
  keepToHttps(apiApp, parts.environment)
  routeHealth(apiApp, parts, stopping.signal)
  routeDocs(apiApp, { version: platformVersion, apiUrl, vaultUrl, serving: shared })
  if (threeds.engine !== null) routeAcs(apiApp, threeds.engine, shared)
  routeProcessorEvents(apiApp, shared)
  allowPages(apiApp)
  routeAssetUpload(apiApp, { serving: shared, blobs })
  routeOperations(apiApp, handlers, { serving: shared, audiences: ['key', 'admin', ...pageAudiences] })
  api.serve(apiApp)
  vault.serve(vaultApp(handlers, { serving: shared, files, jweKeys, vaultUrl, receive: threeds.receive }))
  const places = { apiUrl, vaultUrl, port: api.port, vaultPort: vault.port, engine: parts.db.engine }
  parts.log.info({ ...places, environment: config.environment }, 'platform started')

  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.all([api.stop(), vault.stop(), threeds.stop()])
    await workers.stop()
    await parts.db.close()
    parts.log.info('platform stopped')
  }
  return { apiUrl, vaultUrl, parts, receiveThreedsResult: threeds.receive, stop }
}

function hostingFor(
  config: Config,
  {
    apiUrl,
    vaultUrl,
    resolveTxt,
    blobs,
  }: Pick<Platform, 'apiUrl' | 'vaultUrl'> & Pick<PluginHosting, 'resolveTxt' | 'blobs'>,
): PluginHosting {
  return {
    blobs,
    pluginsUrl: config.pluginsUrl ?? pluginsUrlOf(apiUrl),
    ownHostnames: [apiUrl, vaultUrl].map((url) => new URL(url).hostname),
    resolveTxt,
  }
}

/** Who judges the answers of challenges, where the operator has named somebody. */
function challengeVerifier({ challenge }: Config, { clock }: Parts, deliver: Deliver): VerifyChallenge | null {
  return challenge === undefined ? null : siteverify({ ...challenge, deliver, clock })
}

/** What goes on behind the requests: webhooks, payments without an outcome, rows whose time is over, uses of keys. */
interface Workers {
  /** Says that there may be webhooks to deliver. */
  wake: () => void
  noteKeyUse: KeyUses['note']
  stop: () => Promise<void>
}

function startWorkers(
  charging: Charging,
  config: Config,
  { docsUrl, deliver, blobs }: { docsUrl: string; deliver: Deliver; blobs: Blobs },
): Workers {
  const { parts } = charging
  const recovering = { ...parts, randomness: randomnessFor('recovery', config) }
  const stopRecovery = startPaymentRecovery({
    ...charging,
    parts: recovering,
    answer: (reply) => replyAnswer(reply, { parts: recovering, docsUrl }),
    answerPage: (reply) => replyAnswer(reply, { parts: recovering, docsUrl, shown: toSessionPayment }),
  })
  const webhooks = startWebhookWorker({
    parts: { ...parts, randomness: randomnessFor('webhooks', config) },
    deliver,
  })
  const stopWaiting = startWaitingPayments({ ...parts, randomness: randomnessFor('waiting', config) })
  const renewing = { ...parts, randomness: randomnessFor('renewals', config) }
  const stopRenewals = startRenewals({ ...charging, parts: renewing })
  const stopSweeper = startSweeper({ ...parts, randomness: randomnessFor('sweeping', config) }, blobs)
  const keyUses = startKeyUses(parts)
  return {
    wake: webhooks.wake,
    noteKeyUse: keyUses.note,
    stop: async () => {
      await Promise.all([webhooks.stop(), stopRecovery(), stopWaiting(), stopRenewals(), stopSweeper(), keyUses.stop()])
    },
  }
}
