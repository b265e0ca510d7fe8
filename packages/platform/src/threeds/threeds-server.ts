import type { ThreedsProviderName } from '@tillwright/contract'
import type { EmvMessage, TimelineSession } from '@tillwright/emv-3ds'
import type { NetworkName } from '@tillwright/contract/networks'
import type { Services } from '../request-context.ts'
import { configuredNetworks, configuredProviders } from './directory/index.ts'
import type { AuthenticateCard, ThreedsProviders } from './provider.ts'
import { receiveResult, recordResult, type ResultReceiver } from './results.ts'
import { factsOf, findTransaction, latestSessions, type SessionRecord } from './session-records.ts'
import { sessionWatch } from './session-watch.ts'
import { type BankOpener, bankProviders, type BankServer, type SimulatedBank } from './simulated-bank.ts'
import { outcomeOf, statusAt } from './status.ts'
import { recordMessages, transcriptOf } from './transcript.ts'

/** 3-D Secure at work: the simulated bank or the providers of an operator, and where their results go. */
export interface RunningThreeds {
  /** `null` where none was handed in. */
  bank: SimulatedBank | null
  server: ThreedsServer
  /**
   * Receives what directory servers say of challenges: an RReq as JSON, answered by an RRes or an Erro.
   *
   * @param from The providers whose sessions the sender may end; all of them unless given.
   */
  receive: (rreq: string, from?: readonly ThreedsProviderName[]) => Promise<EmvMessage>
  stop: () => Promise<void>
}

/**
 * The origins, the simulator if there is one, and a signal that is aborted when the platform stops and ends all waits.
 */
export interface ThreedsPlaces {
  apiUrl: string
  vaultUrl: string
  simulator: BankOpener | null
  stopping: AbortSignal
  authenticateIn?: AuthenticateCard
}

/** Starts the parts of 3-D Secure. A simulated bank records the messages of a result itself. */
export function startThreeds(
  services: Services,
  { apiUrl, vaultUrl, simulator, stopping, authenticateIn }: ThreedsPlaces,
): RunningThreeds {
  const watch = sessionWatch(services.clock, stopping)
  const alongside = simulator === null ? recordResult(services) : () => []
  const receive: RunningThreeds['receive'] = (rreq, from) => receiveResult(rreq, { services, watch, alongside, from })
  const bank = simulator === null ? null : openBank(simulator, services, { apiUrl, receive })
  const providers = bank === null ? configuredProviders(services) : bankProviders(bank)
  const networksOf: ThreedsServer['networksOf'] =
    bank === null ? (name) => configuredNetworks(name, services.db) : async () => null
  return {
    bank,
    receive,
    server: { providers, networksOf, vaultUrl, watch, ...(authenticateIn && { authenticateIn }) },
    stop: async () => bank?.stop(),
  }
}

function openBank(
  simulator: BankOpener,
  { db, clock, log, environment }: Services,
  { apiUrl, receive }: Pick<RunningThreeds, 'receive'> & { apiUrl: string },
): SimulatedBank {
  const timelineSessions = async (sessions: readonly SessionRecord[]): Promise<TimelineSession[]> => {
    const facts = await factsOf(sessions, db)
    return sessions.map((session) => {
      const { id, externalSessionId, paymentId, provider, createdAtMs } = session
      const status = statusAt(session, clock.now())
      const { amount = null, card = null } = facts.get(id) ?? {}
      return {
        id,
        externalSessionId,
        paymentId,
        provider,
        createdAtMs,
        status,
        outcome: outcomeOf(status),
        amount,
        card,
      }
    })
  }
  const server: BankServer = {
    recordMessages,
    ownerOf: async (transactionId) => (await findTransaction(transactionId, db))?.accountId ?? null,
    receiveResult: async (rreq) => JSON.stringify(await receive(rreq)),
    async findTimeline(transactionId) {
      const session = await findTransaction(transactionId, db)
      if (session === null) return null
      const [shown] = await timelineSessions([session])
      if (shown === undefined) return null
      return { session: shown, transcript: await transcriptOf(session.id, session.accountId, db) }
    },
    latestSessions: async () => timelineSessions(await latestSessions(db)),
  }
  return simulator.openBank({ db, clock, log, server, acsUrl: `${apiUrl}/acs`, isLocal: environment === 'local' })
}

/**
 * Dependencies of 3-D Secure besides the database: the providers, the URLs that browsers return to, and the session
 * watch.
 */
export interface ThreedsServer extends Pick<ResultReceiver, 'watch'> {
  providers: ThreedsProviders
  /** The networks whose cards a provider authenticates; `null` for all, and none if it is not configured. */
  networksOf: (name: ThreedsProviderName) => Promise<NetworkName[] | null>
  /** The vault's origin. */
  vaultUrl: string
  /** Authenticates a card in a process that holds the card key; in this one unless given. */
  authenticateIn?: AuthenticateCard
}
