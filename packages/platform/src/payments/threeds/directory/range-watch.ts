import { checkMessage, requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import { uuidOf } from '../../../ambient/uuid.ts'
import type { Parts } from '../../../call.ts'
import { MESSAGE_VERSION } from '../emv-request.ts'
import { noRanges, rangeOf, rangesAfter, type CardRange, type KnownRanges } from './card-ranges.ts'
import type { DirectoryLink } from './directory-link.ts'
import type { DirectorySettings } from './directory-settings.ts'

/** How often a directory is asked. Source: EMV 3DS 2.2.0, 5.6: at least every 24 hours, at most every hour. */
const ASK_EVERY_MS = 12 * 60 * 60 * 1_000
/** When a directory is asked again that gave no good answer. */
const ASK_AGAIN_MS = 60 * 60 * 1_000
/** Two hundred thousand ranges, with room. */
const PRES_MAX_BYTES = 64 * 1024 * 1024
/** The serial number is not one that the directory knows any more. Source: EMV 3DS 2.2.0, error code. */
const SERIAL_NUMBER_INVALID = '307'

/** Finds the range of a card in what its directory has told; `null` for one of none, and while nothing is known. */
export type FindRange = (cardNumber: string, directoryUrl: string) => Promise<CardRange | null>

interface Watched {
  known: KnownRanges
  askAtMs: number
  asking: Promise<void> | null
}

/** What asking needs. */
export interface RangeWatch {
  settings: DirectorySettings
  link: DirectoryLink
  parts: Pick<Parts, 'clock' | 'randomness' | 'log'>
}

/**
 * Knows the card ranges of directory servers, in memory: a process asks when it first needs them and then twice a day.
 * Only the first asking is waited for. Without an answer what was known stays in use.
 */
export function watchRanges(watch: RangeWatch): FindRange {
  const { clock, log } = watch.parts
  const directories = new Map<string, Watched>()

  async function refresh(url: string, watched: Watched): Promise<void> {
    try {
      watched.known = await ask(url, watched.known, watch)
      watched.askAtMs = clock.now() + ASK_EVERY_MS
    } catch (error) {
      watched.askAtMs = clock.now() + ASK_AGAIN_MS
      log.warn({ err: error, url }, 'a directory server has not told its card ranges; it is asked again in an hour')
    } finally {
      watched.asking = null
    }
  }

  return async (cardNumber, directoryUrl) => {
    const watched = directories.get(directoryUrl) ?? { known: noRanges, askAtMs: 0, asking: null }
    directories.set(directoryUrl, watched)
    if (watched.asking === null && clock.now() >= watched.askAtMs) watched.asking = refresh(directoryUrl, watched)
    if (watched.known === noRanges) await watched.asking
    return rangeOf(cardNumber, watched.known)
  }
}

/** @throws {Error} When the answer is none. */
async function ask(url: string, known: KnownRanges, watch: RangeWatch): Promise<KnownRanges> {
  const { settings, link, parts } = watch
  const { serverReferenceNumber, serverOperatorId } = settings
  const preq: EmvMessage = {
    messageType: 'PReq',
    messageVersion: MESSAGE_VERSION,
    threeDSServerTransID: uuidOf(parts.randomness.bytes(16)),
    threeDSServerRefNumber: serverReferenceNumber,
    ...(serverOperatorId !== null && { threeDSServerOperatorID: serverOperatorId }),
    ...(known.serialNumber !== null && { serialNumber: known.serialNumber }),
  }
  const text = await link({ url, text: JSON.stringify(preq), answerMaxBytes: PRES_MAX_BYTES })
  const checked = checkMessage(text, { types: ['PRes', 'Erro'], to: preq })
  const answer = checked.outcome === 'valid' ? checked.message : checked.erro
  if (answer.messageType === 'PRes') return rangesAfter(known, answer)
  if (textOf(answer, 'errorCode') === SERIAL_NUMBER_INVALID && known.serialNumber !== null) {
    return ask(url, noRanges, watch)
  }
  throw new Error(`The card ranges have come to the error ${requiredText(answer, 'errorCode')}.`)
}
