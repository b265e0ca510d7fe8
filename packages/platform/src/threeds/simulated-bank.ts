import type { Recording, SentMessage, TimelineSession, TranscriptEntry } from '@tillwright/emv-3ds'
import type { Services } from '../request-context.ts'
import type { Statement } from '../storage/index.ts'
import { askDirectory, type SentRequest } from './ask-directory.ts'
import { inVersion, versionFor } from './message-version.ts'
import type { ThreedsProvider, ThreedsProviders } from './provider.ts'

/** A simulated Directory Server and ACS of EMV 3DS, with the pages of its bank. */
export interface SimulatedBank {
  /** Answers an AReq with an ARes or an Erro, as JSON. */
  answerAreq(sent: Pick<SentRequest, 'areq' | 'brand' | 'last4' | 'preset'>): Promise<string>
  /** The method page of a card's issuer, `null` when it has none. */
  methodUrl(cardNumber: string): string | null
  /** Answers a request to an address from `/acs` on; `null` when there is nothing at it. */
  answer(request: BankRequest): Promise<BankAnswer | null>
  stop(): Promise<void>
}

/** A request to the simulated bank. Its body is read where it is needed only. */
export interface BankRequest {
  method: string
  path: string
  /** Whether a page is wanted rather than a message. */
  acceptsHtml: boolean
  /** The header `Accept-Language`; empty for none. */
  acceptLanguage: string
  /** The address's query, from behind its `?`. */
  query: string
  text(): Promise<string>
  json(): Promise<unknown>
  /** The account of the secret key that the request carries. */
  accountOf(): Promise<string>
}

export type BankAnswer =
  | { status: number; headers: Readonly<Record<string, string>>; body: string }
  | { refused: 'resource_missing' | 'parameter_invalid'; message: string; param?: string }

/** Dependencies of the simulated bank. */
export interface BankDependencies extends Pick<Services, 'db' | 'clock' | 'log'> {
  server: BankServer
  /** Where its pages are served. */
  acsUrl: string
  /** Whether it is one developer's own: outcomes may be arranged then, and all sessions are listed. */
  isLocal: boolean
}

/** The 3DS Server as the simulated bank sees it. */
export interface BankServer {
  /** The account that a transaction (`threeDSServerTransID`) belongs to, or `null`. */
  ownerOf(transactionId: string): Promise<string | null>
  /** The statements that add messages to the transcript of a transaction. */
  recordMessages(messages: readonly SentMessage[], recording: Recording): Statement[]
  /** Takes the result of a challenge: an RReq as JSON, answered by an RRes or an Erro as JSON. */
  receiveResult(rreq: string): Promise<string>
  findTimeline(transactionId: string): Promise<{ session: TimelineSession; transcript: TranscriptEntry[] } | null>
  /** The latest sessions of all accounts, the newest first. */
  latestSessions(): Promise<TimelineSession[]>
}

/** Opens the simulated bank of one platform. */
export interface BankOpener {
  openBank(dependencies: BankDependencies): SimulatedBank
}

/** With a simulated bank, both names of providers lead to it. */
export function bankProviders(bank: Pick<SimulatedBank, 'answerAreq' | 'methodUrl'>): ThreedsProviders {
  const provider: ThreedsProvider = {
    authenticate: (request) => {
      const version = versionFor(request.recommendedVersion, null) // the simulated issuers speak every version
      return askDirectory({ ...request, message: inVersion(request.message, version) }, (sent) => bank.answerAreq(sent))
    },
    methodUrl: async ({ number }) => bank.methodUrl(number),
  }
  return async () => provider
}
