import { type ReceivedEvent, receiveEvent } from '../processor-events/index.ts'
import type { DriverOf, ProcessorRegistry } from '../processors/index.ts'
import type { Services } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { type App, plainFailure, clientAddress, type ServerContext } from './operations/index.ts'
import { readWithin, readBody } from './bodies/index.ts'

/** An event holds one object; the largest are a tenth of this. */
const EVENT_MAX_BYTES = 512 * 1024

/** Whoever knows a processor's door may send any number of events to it, and is not to fill the log. */
const TELL_EVERY_MS = 60_000

/** The end of a path, after the name of a driver. */
const EVENTS_SUFFIX = '-events'

/**
 * The doors that processors bring their events to, one for each processor whose driver takes events. A request there has
 * no key of ours: the event is signed. Whatever is not answered with a 2xx is expected to be sent again.
 */
export function routeProcessorEvents(
  app: App,
  serverContext: ServerContext,
  { registry, driverOf }: { registry: ProcessorRegistry; driverOf: DriverOf },
): void {
  const tellUnsigned = unsignedTold(serverContext.services)
  app.post(`/api/processors/v1/:accountId/:processorId/:door{[a-z][a-z0-9_]*${EVENTS_SUFFIX}}`, async (c) => {
    try {
      const address = clientAddress(c.env.incoming, serverContext.trustedProxies) // throws for what has not come over HTTPS
      const body = await readWithin(serverContext.bodies, address, (room) =>
        readBody(c.env.incoming, EVENT_MAX_BYTES, room),
      )
      const { accountId, processorId, door } = c.req.param()
      const driver = door.slice(0, -EVENTS_SUFFIX.length)
      const { services } = serverContext
      const sent = { body, headers: c.env.incoming.headers }
      const received = await receiveEvent(sent, { accountId, processorId, driver }, { services, registry, driverOf })
      if (received === 'unsigned') tellUnsigned({ accountId, processorId })
      const { status, text } = answers[received]
      return c.text(text, status)
    } catch (error) {
      if (error instanceof ApiError) return plainFailure(error, serverContext)
      throw error
    }
  })
}

const answers = {
  taken: { status: 200, text: 'Taken.' },
  unknown: { status: 404, text: 'No processor takes events here; look at its address and set its signing secret.' },
  unsigned: { status: 400, text: 'The signature is not that of the signing secret, or too old.' },
  later: { status: 503, text: 'The event cannot be acted on yet; send it again.' },
} as const satisfies Record<ReceivedEvent, { status: number; text: string }>

/** @returns Warns of an event that is not signed, for each processor once a minute. */
function unsignedTold({ log, clock }: Pick<Services, 'log' | 'clock'>) {
  const toldMs = new Map<string, number>()
  return (processor: { accountId: string; processorId: string }): void => {
    const { processorId } = processor
    if (clock.now() - (toldMs.get(processorId) ?? -TELL_EVERY_MS) < TELL_EVERY_MS) return
    toldMs.set(processorId, clock.now())
    log.warn(processor, 'an event of a processor was refused: it is not signed with the secret that was set here')
  }
}
