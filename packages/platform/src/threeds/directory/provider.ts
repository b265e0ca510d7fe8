import type { ThreedsProviderName } from '@tillwright/contract'
import type { Services } from '../../request-context.ts'
import { type AnswerAreq, askDirectory, withoutNumber } from '../ask-directory.ts'
import { inVersion, versionFor } from '../message-version.ts'
import type { AuthenticationRequest, ThreedsProvider, ThreedsProviders } from '../provider.ts'
import { findTransaction } from '../session-records.ts'
import { recordMessages } from '../transcript.ts'
import { directoryLink } from './link.ts'
import { watchRanges } from './ranges.ts'
import { type DirectoryRow, directoryUrlOf, findDirectoryRow } from './settings.ts'

/** The most that an ARes is long: its longest fields together, with room for extensions. */
const ARES_MAX_BYTES = 256 * 1024

type DirectoryParts = Pick<Services, 'db' | 'clock' | 'randomness' | 'log'>

/**
 * A provider in production: the platform itself is the 3DS server, and speaks to the directory servers that an operator
 * has named. Requests and answers pass the same checks as with the built-in engine.
 */
function directoryProvider({ settings }: Pick<DirectoryRow, 'settings'>, services: DirectoryParts): ThreedsProvider {
  const link = directoryLink(settings, services)
  const findRange = watchRanges({ settings, link, services })
  const answerAreq = (url: string): AnswerAreq => {
    return async ({ areq, transactionId, cardNumber }) => {
      const bytes = await link({ url, text: areq, answerMaxBytes: ARES_MAX_BYTES })
      const answer = bytes.toString()
      await recordExchange({ transactionId, areq, answer, cardNumber }, services)
      return answer
    }
  }
  return {
    async methodUrl({ number, brand }) {
      const issuer = await findRange(number, directoryUrlOf(settings, brand))
      return issuer?.methodUrl ?? null
    },
    async authenticate(request) {
      const url = directoryUrlOf(settings, request.card.brand)
      const issuer = await findRange(request.message.acctNumber, url)
      const version = versionFor(request.recommendedVersion, issuer?.versions ?? null)
      const message = inVersion(asKnownThere(request, settings), version)
      return askDirectory({ ...request, message }, answerAreq(url))
    },
  }
}

/** The request with the names that the directory knows the server and the shop by. */
function asKnownThere({ message }: AuthenticationRequest, settings: DirectoryRow['settings']) {
  const { serverReferenceNumber, serverOperatorId, requestorId } = settings
  return {
    ...message,
    threeDSServerRefNumber: serverReferenceNumber,
    ...(serverOperatorId !== null && { threeDSServerOperatorID: serverOperatorId }),
    ...(requestorId !== null && { threeDSRequestorID: requestorId }),
  }
}

/** For how long what was read of a provider's row is trusted: an operator's change is acted on within it. */
const TRUSTED_MS = 1_000

interface Known {
  provider: ThreedsProvider | null
  /** The row's settings, as JSON. */
  text: string
  readAtMs: number
}

/** The providers that operators have configured. Each is opened once, and anew when its row has changed. */
export function configuredProviders(services: DirectoryParts): ThreedsProviders {
  const known = new Map<ThreedsProviderName, Known>()
  return async (name) => {
    const before = known.get(name)
    const nowMs = services.clock.now()
    if (before !== undefined && nowMs - before.readAtMs < TRUSTED_MS) return before.provider
    const row = await findDirectoryRow(name, services.db)
    const text = JSON.stringify(row)
    const provider =
      before !== undefined && before.text === text ? before.provider : row && directoryProvider(row, services)
    known.set(name, { provider, text, readAtMs: nowMs })
    return provider
  }
}

/** A request to a directory server and its answer, as they went over the line. */
export interface Exchange {
  transactionId: string
  areq: string
  answer: string
  cardNumber: string
}

/** How much is kept of an answer that is no JSON. */
const UNREADABLE_MAX_CHARS = 2_048

/** Puts an exchange on the transcript of its session, without the card's number wherever it stands. */
async function recordExchange(
  { transactionId, areq, answer, cardNumber }: Exchange,
  { db, clock }: Pick<Services, 'db' | 'clock'>,
): Promise<void> {
  const session = await findTransaction(transactionId, db)
  if (session === null) return
  const message = jsonOf(withoutNumber(answer, cardNumber))
  const messages = [
    { from: 'server', to: 'directory', type: 'AReq', message: jsonOf(areq) },
    { from: 'directory', to: 'server', type: typeOf(message), message },
  ] as const
  await db.write(recordMessages(messages, { accountId: session.accountId, transactionId, nowMs: clock.now() }))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(0, UNREADABLE_MAX_CHARS).replaceAll('\0', '\uFFFD')
  }
}

function typeOf(message: unknown): string {
  const isErro = typeof message === 'object' && message !== null && 'messageType' in message
  return isErro && message.messageType === 'Erro' ? 'Erro' : 'ARes'
}
