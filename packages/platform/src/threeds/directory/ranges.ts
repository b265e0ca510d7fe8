import type { EmvMessage } from '@tillwright/emv-3ds'
import type { Services } from '../../request-context.ts'
import { uuidOf, type WorkerPool, workerPool } from '../../runtime/index.ts'
import { MESSAGE_VERSION } from '../emv-request.ts'
import { issuerOfCard, type KnownRanges, noRanges, type RangeIssuer } from './card-ranges.ts'
import type { DirectoryLink } from './link.ts'
import { type RangesAnswer, type RangesVerdict, readRangesAnswer } from './ranges-answer.ts'
import type { DirectorySettings } from './settings.ts'

/** How often a directory is asked. Source: EMV 3DS 2.2.0, 5.6: at least every 24 hours, at most every hour. */
const ASK_EVERY_MS = 12 * 60 * 60 * 1_000
/** When a directory is asked again that gave no good answer. */
const ASK_AGAIN_MS = 60 * 60 * 1_000
/** Two hundred thousand ranges, with room. */
const PRES_MAX_BYTES = 64 * 1024 * 1024
/** Up to so many bytes and known ranges an answer is read at once: some two milliseconds. */
const SMALL = { bytes: 64 * 1024, ranges: 300 }
/** Two hundred thousand ranges take two seconds and 400 MB, for which a thread lives as long as they are read. */
const THREAD = { threads: 1, taskMs: 60_000, heapMb: 2_048, waiting: 16, idleMs: 1_000 }
/** The serial number is not one that the directory knows any more. Source: EMV 3DS 2.2.0, error code. */
const SERIAL_NUMBER_INVALID = '307'

/** Finds the issuer of a card in what its directory has told; `null` for a card of no range, and while nothing is known. */
export type FindRange = (cardNumber: string, directoryUrl: string) => Promise<RangeIssuer | null>

interface Watched {
  known: KnownRanges
  askAtMs: number
  asking: Promise<void> | null
}

/** Dependencies of the range requests. */
export interface RangeWatch {
  settings: DirectorySettings
  link: DirectoryLink
  services: Pick<Services, 'clock' | 'randomness' | 'log'>
}

/**
 * Knows the card ranges of directory servers, in memory: a process asks when it first needs them and then twice a day.
 * Only the first asking is waited for. Without an answer what was known stays in use.
 */
export function watchRanges(watch: RangeWatch): FindRange {
  const { clock, log } = watch.services
  const directories = new Map<string, Watched>()
  const threads = workerPool<RangesAnswer, RangesVerdict>(new URL('./ranges-worker', import.meta.url), THREAD)

  async function refresh(url: string, watched: Watched): Promise<void> {
    try {
      watched.known = await ask(url, watched.known, { ...watch, threads })
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
    return issuerOfCard(cardNumber, watched.known)
  }
}

type Asking = RangeWatch & { threads: WorkerPool<RangesAnswer, RangesVerdict> }

/** @throws {Error} When the answer is none. */
async function ask(url: string, known: KnownRanges, asking: Asking): Promise<KnownRanges> {
  const { settings, link, services, threads } = asking
  const { serverReferenceNumber, serverOperatorId } = settings
  const preq: EmvMessage = {
    messageType: 'PReq',
    messageVersion: MESSAGE_VERSION,
    threeDSServerTransID: uuidOf(services.randomness.bytes(16)),
    threeDSServerRefNumber: serverReferenceNumber,
    ...(serverOperatorId !== null && { threeDSServerOperatorID: serverOperatorId }),
    ...(known.serialNumber !== null && { serialNumber: known.serialNumber }),
  }
  const bytes = await link({ url, text: JSON.stringify(preq), answerMaxBytes: PRES_MAX_BYTES })
  const answer = { bytes, preq, known }
  const isSmall = bytes.length <= SMALL.bytes && known.count <= SMALL.ranges
  const verdict = isSmall ? readRangesAnswer(answer) : await threads.run(url, answer)
  if ('known' in verdict) return verdict.known
  if (verdict.errorCode === SERIAL_NUMBER_INVALID && known.serialNumber !== null) return ask(url, noRanges, asking)
  throw new Error(`The card ranges have come to the error ${verdict.errorCode}.`)
}
