import type { Parts } from '../../../call.ts'
import { askDirectory, type AnswerAreq } from '../ask-directory.ts'
import { MESSAGE_VERSION } from '../emv-request.ts'
import type { AuthenticationRequest, ThreedsProvider } from '../provider.ts'
import { directoryLink } from './directory-link.ts'
import { directoryUrlOf } from './directory-settings.ts'
import type { DirectoryRow } from './directory-rows.ts'
import { inVersion } from './in-version.ts'
import { watchRanges } from './range-watch.ts'
import { recordExchange } from './record-exchange.ts'

/** The most that an ARes is long: its longest fields together, with room for extensions. */
const ARES_MAX_BYTES = 256 * 1024

/** What a provider needs of the platform. */
export type DirectoryParts = Pick<Parts, 'db' | 'clock' | 'randomness' | 'log'>

/**
 * A provider in production: the platform itself is the 3DS server, and speaks to the directory servers that an operator
 * has named. What goes out and what comes back passes the same checks as with the built-in engine.
 */
export function directoryProvider(
  { settings }: Pick<DirectoryRow, 'settings'>,
  parts: DirectoryParts,
): ThreedsProvider {
  const link = directoryLink(settings, parts)
  const findRange = watchRanges({ settings, link, parts })
  const answerAreq = (url: string): AnswerAreq => {
    return async ({ areq, transactionId, cardNumber }) => {
      const answer = await link({ url, text: areq, answerMaxBytes: ARES_MAX_BYTES })
      await recordExchange({ transactionId, areq, answer, cardNumber }, parts)
      return answer
    }
  }
  return {
    async methodUrl({ number, brand }) {
      const range = await findRange(number, directoryUrlOf(settings, brand))
      return range?.methodUrl ?? null
    },
    async authenticate(request) {
      const url = directoryUrlOf(settings, request.card.brand)
      const range = await findRange(request.message.acctNumber, url)
      const message = inVersion(asKnownThere(request, settings), range?.version ?? MESSAGE_VERSION)
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
