import {
  checkMessage,
  type EmvMessage,
  isList,
  isRecord,
  MESSAGE_VERSIONS,
  type MessageVersion,
  requiredText,
  textOf,
} from '@tillwright/emv-3ds'
import type { Services } from '../../request-context.ts'
import { uuidOf } from '../../runtime/index.ts'
import { MESSAGE_VERSION } from '../emv-request.ts'
import type { DirectoryLink } from './link.ts'
import type { DirectorySettings } from './settings.ts'

/** A range of cards that takes part, as a directory tells of it. */
interface CardRange {
  /** The first and the last number, filled up to nineteen digits. */
  start: string
  end: string
  /** The method page of the issuer, or `null`. */
  methodUrl: string | null
  /** The versions that the issuer speaks of those that are spoken here, oldest first. */
  versions: readonly MessageVersion[]
}

/** A directory's known card ranges, in order, and the serial number that the directory gives to this state of them. */
interface KnownRanges {
  serialNumber: string | null
  ranges: readonly CardRange[]
}

/** Before a directory was asked. */
export const noRanges: KnownRanges = { serialNumber: null, ranges: [] }

const DIGITS_MAX = 19

/**
 * Applies an answer to the known ranges: as changes where the request named their serial number, otherwise as a full
 * replacement. An answer without ranges changes nothing.
 *
 * @param pres A checked PRes.
 */
export function rangesAfter(known: KnownRanges, pres: EmvMessage): KnownRanges {
  const serialNumber = textOf(pres, 'serialNumber') ?? null
  const told = pres['cardRangeData']
  if (!isList(told)) return { ...known, serialNumber: serialNumber ?? known.serialNumber }
  const byRange = new Map(known.serialNumber === null ? [] : known.ranges.map((range) => [keyOf(range), range]))
  for (const each of told) {
    if (!isRecord(each)) continue
    const range = readRange({ ...pres, ...each })
    if (each['actionInd'] === 'D') byRange.delete(keyOf(range))
    else byRange.set(keyOf(range), range)
  }
  const ranges = [...byRange.values()].toSorted((a, b) => (a.start < b.start ? -1 : 1))
  return { serialNumber, ranges }
}

/** The range of a card, or `null` when its issuer takes no part. */
export function rangeOf(cardNumber: string, { ranges }: KnownRanges): CardRange | null {
  const number = cardNumber.padEnd(DIGITS_MAX, '0')
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.start ?? '') <= number) low = middle + 1
    else high = middle
  }
  const range = ranges[low - 1]
  return range !== undefined && number <= range.end ? range : null
}

function keyOf({ start, end }: CardRange): string {
  return `${start} ${end}`
}

/** @param told A range's fields, over the PRes that it is in. */
function readRange(told: EmvMessage): CardRange {
  const [from, to] = [requiredText(told, 'acsStartProtocolVersion'), requiredText(told, 'acsEndProtocolVersion')]
  return {
    start: requiredText(told, 'startRange').padEnd(DIGITS_MAX, '0'),
    end: requiredText(told, 'endRange').padEnd(DIGITS_MAX, '9'),
    methodUrl: textOf(told, 'threeDSMethodURL') ?? null,
    versions: MESSAGE_VERSIONS.filter((version) => from <= version && version <= to),
  }
}

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
  const { settings, link, services } = watch
  const { serverReferenceNumber, serverOperatorId } = settings
  const preq: EmvMessage = {
    messageType: 'PReq',
    messageVersion: MESSAGE_VERSION,
    threeDSServerTransID: uuidOf(services.randomness.bytes(16)),
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
