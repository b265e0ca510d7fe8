import type { Services } from '../request-context.ts'
import { pick, type RowOf, rowReader } from '../storage/index.ts'
import { secondsSince, type Telemetry } from '../telemetry/index.ts'
import { type Driver, type DriverOf, unavailable } from './driver.ts'
import type { OpenedProcessor, ProcessorDriver } from './processor-driver.ts'
import type { ProcessorRegistry } from './registry.ts'
import { openProcessorSecret } from './settings.ts'
import { processorsTable } from './tables.ts'

/** How long a driver may be used after its processor was changed, in milliseconds. */
const FRESH_MS = 1_000

/**
 * Finds the driver of each processor by its row, and again when the row has changed, which is noticed within a second. A
 * row whose driver is not to be had here gets one that refuses everything, and is looked at again the next time.
 */
export function openDrivers(services: Services, registry: ProcessorRegistry): DriverOf {
  const known = new Map<string, { atMs: number; opened: Promise<Opened> }>()
  return async ({ id, accountId, isPreview }) => {
    if (isPreview) return registry.preview.open({ processorId: id, accountId, config: null, secret: null, services })
    const key = `${accountId} ${id}`
    const nowMs = services.clock.now()
    const former = known.get(key)
    if (former !== undefined && Math.abs(nowMs - former.atMs) < FRESH_MS) return (await former.opened).driver
    const opened = openDriver(id, accountId, { services, registry, former: former?.opened })
    known.set(key, { atMs: nowMs, opened })
    const forget = () => known.get(key)?.opened === opened && known.delete(key)
    opened.then(({ isStopped }) => isStopped && forget(), forget)
    return (await opened).driver
  }
}

interface Opened {
  driver: Driver
  /** The revision of the settings that the driver was opened with. */
  revision: number
  isStopped: boolean
}

interface Opening {
  services: Services
  registry: ProcessorRegistry
  former: Promise<Opened> | undefined
}

async function openDriver(
  processorId: string,
  accountId: string,
  { services, registry, former }: Opening,
): Promise<Opened> {
  const sql = 'SELECT driver, config, sealed_secret, revision FROM processors WHERE account_id = ? AND id = ?'
  const [row] = readProcessors(await services.db.read(sql, [accountId, processorId]))
  if (row === undefined) throw new Error(`The account ${accountId} has no processor ${processorId}.`)
  const { driver: name, revision } = row
  const before = await former?.catch(() => undefined)
  if (before?.revision === revision && !before.isStopped) return before
  const driver = registry.find(name)
  if (driver !== null) {
    const opened = await driver.open(openedProcessor(row, { processorId, accountId, driver, services }))
    const observed = observedDriver(opened, { name, processorId, telemetry: services.telemetry })
    return { driver: observed, revision, isStopped: false }
  }
  services.log.error(
    { accountId, processorId, driver: name },
    'a processor is stopped: this platform has no such driver',
  )
  return { driver: stoppedDriver(`This platform has no driver '${name}' for processors.`), revision, isStopped: true }
}

const readProcessors = rowReader(pick(processorsTable, 'driver', 'config', 'sealed_secret', 'revision'))

interface Observed {
  name: string
  processorId: string
  telemetry: Telemetry
}

/** Measures every call of a processor, and shows it in traces. Nothing of what is sent or answered is shown but the outcome. */
function observedDriver(driver: Driver, { name, processorId, telemetry }: Observed): Driver {
  if (!telemetry.enabled) return driver
  function observed<Asked, Outcome extends { outcome: string }>(
    operation: keyof Driver,
    ask: (asked: Asked) => Promise<Outcome>,
  ): (asked: Asked) => Promise<Outcome> {
    const attributes = { 'tillwright.processor.driver': name, 'tillwright.processor.operation': operation }
    const start = { kind: 'client', attributes: { ...attributes, 'tillwright.processor.id': processorId } } as const
    return (asked) =>
      telemetry.span(`processor ${operation}`, start, async (span) => {
        const startedAt = performance.now()
        let outcome = 'no_answer'
        try {
          const answered = await ask(asked)
          outcome = answered.outcome
          return answered
        } finally {
          span.set({ 'tillwright.processor.outcome': outcome })
          const labels = { ...attributes, 'tillwright.processor.outcome': outcome }
          telemetry.record('tillwright.processor.call.duration', secondsSince(startedAt), labels)
        }
      })
  }
  const submitEvidence = driver.submitEvidence?.bind(driver)
  return {
    authorise: observed('authorise', (asked) => driver.authorise(asked)),
    capture: observed('capture', (asked) => driver.capture(asked)),
    refund: observed('refund', (asked) => driver.refund(asked)),
    void: observed('void', (asked) => driver.void(asked)),
    query: observed('query', (asked) => driver.query(asked)),
    ...(submitEvidence && { submitEvidence: observed('submitEvidence', submitEvidence) }),
  }
}

/** A processor to open, and its driver. */
interface OpenedAs {
  processorId: string
  accountId: string
  driver: ProcessorDriver
  services: Pick<Services, 'db' | 'clock' | 'secrets'>
}

/** The input to a driver's `open`. */
export function openedProcessor(
  { config, sealed_secret: sealed }: Pick<RowOf<typeof processorsTable>, 'config' | 'sealed_secret'>,
  { processorId, accountId, driver, services }: OpenedAs,
): OpenedProcessor {
  return {
    processorId,
    accountId,
    config,
    secret: driver.secret === null ? null : openProcessorSecret(String(sealed), processorId, services),
    services,
  }
}

/**
 * Refuses everything and decides nothing: no authorisation begins, so that the payment may go elsewhere, and what became
 * of one that has begun stays unknown until the driver is back.
 */
function stoppedDriver(reason: string): Driver {
  const refused = unavailable(reason)
  return {
    authorise: async () => ({ outcome: 'refused_before_acceptance', reason }),
    capture: async () => refused,
    refund: async () => refused,
    void: async () => refused,
    query: () => Promise.reject(new Error(reason)),
  }
}
