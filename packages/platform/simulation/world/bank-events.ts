import { createHmac } from 'node:crypto'
import type { ProcessorEvents, ReportedDispute, ReportedRefunds } from '../../src/processors/processor-driver.ts'
import type { World } from './world.ts'

/** A processor's event: its attempt has a new outcome or refunds, or is disputed. */
export interface BankEvent {
  about: 'attempt' | 'refunds' | 'dispute'
  processorId: string
  attemptId: string
}

/** The network that events are sent over. */
interface Sender {
  send(call: {
    who: string
    method: 'POST'
    path: string
    body: object
    headers: Readonly<Record<string, string>>
  }): Promise<{ status: number } | null>
  pause(ms: number): Promise<void>
}

/** The events of all processors of a world. Each is sent until it is accepted. */
export interface BankEvents {
  /**
   * Sends an event soon, and once more minutes later, as processors repeat events in their reports. Events of disputes
   * are repeated sooner or not at all.
   */
  tell(event: BankEvent): void
  /** Starts sending events to an account's webhook URLs. */
  sendTo(accountId: string, network: Sender): void
  /** The number of events under way. */
  left(): number
}

/** The driver's name in the rows of processors. */
export const BANK_DRIVER = 'world_bank'

/** The secret that events are signed with. */
export const EVENT_SECRET = 'the secret of the events of every world'

const SIGNATURE = 'world-signature'

export function openBankEvents(world: World): BankEvents {
  const { scheduler } = world
  const dice = world.dice.fork('events of processors')
  let left = 0
  let number = 0
  let send: (event: BankEvent & { id: string }) => Promise<void> = () => Promise.resolve()

  function sendAfter(delayMs: number, event: BankEvent & { id: string }): void {
    left += 1
    scheduler.after(delayMs, 'a processor tells something', () => {
      void send(event).finally(() => (left -= 1))
    })
  }
  return {
    tell(event) {
      const numbered = { id: `event_${++number}`, ...event }
      world.count('events of processors')
      const soonMs = dice.between(0, 20_000)
      sendAfter(soonMs, numbered)
      // A dispute's event is repeated in the same moment or not at all.
      if (event.about !== 'dispute') sendAfter(dice.between(120_000, 300_000), numbered)
      else if (dice.chance(0.3)) sendAfter(dice.between(5_000, 40_000), numbered)
      else if (dice.chance(0.5)) sendAfter(soonMs, numbered)
    },
    sendTo(accountId, network) {
      send = async ({ processorId, ...event }) => {
        const path = `/api/processors/v1/${accountId}/${processorId}/${BANK_DRIVER}-events`
        const headers = { [SIGNATURE]: signatureOf(JSON.stringify(event)) }
        for (;;) {
          const answer = await network.send({ who: 'bank', method: 'POST', path, body: event, headers })
          if (answer?.status === 200) return
          await network.pause(dice.between(500, 15_000))
        }
      }
    },
    left: () => left,
  }
}

/** The state that an event refers to, as the processor reports it on request. */
interface Behind {
  /** The refunds of an attempt, and those that came back. */
  refundsOf: (attemptId: string, processorId: string) => Promise<Omit<ReportedRefunds, 'attemptId'>>
  disputeOf: (attemptId: string, processorId: string) => Promise<ReportedDispute | null>
}

/** The platform's reader of events, which fetches the state they refer to. */
export function bankEvents({ refundsOf, disputeOf }: Behind): ProcessorEvents {
  return {
    secret: { called: "the secret of the world's bank", problem: () => null },
    help: '',
    async read({ body, headers }, { eventSecret, processorId }) {
      if (headers[SIGNATURE] !== signatureOf(body.toString(), eventSecret)) return null
      const { id, about, attemptId }: Record<'id' | 'about' | 'attemptId', string> = JSON.parse(body.toString())
      return {
        id,
        type: about,
        async report() {
          if (about === 'attempt') return { about, attemptId }
          if (about === 'refunds')
            return { about, refunds: { attemptId, ...(await refundsOf(attemptId, processorId)) } }
          const dispute = await disputeOf(attemptId, processorId)
          return dispute && { about: 'dispute', dispute }
        },
      }
    },
  }
}

function signatureOf(body: string, secret: string = EVENT_SECRET): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}
