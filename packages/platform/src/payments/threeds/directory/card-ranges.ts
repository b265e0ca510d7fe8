import {
  isList,
  isRecord,
  MESSAGE_VERSIONS,
  requiredText,
  textOf,
  type EmvMessage,
  type MessageVersion,
} from '@tillwright/emv-3ds'

/** A range of cards that takes part, as a directory tells of it. */
export interface CardRange {
  /** The first and the last number, filled up to nineteen digits. */
  start: string
  end: string
  /** The method page of the issuer, or `null`. */
  methodUrl: string | null
  /** The newest version that the issuer speaks of those that are spoken here, or `null`. */
  version: MessageVersion | null
}

/** What is known of a directory's ranges: in order, and the number that the directory gives to this state of them. */
export interface KnownRanges {
  serialNumber: string | null
  ranges: readonly CardRange[]
}

/** Before a directory was asked. */
export const noRanges: KnownRanges = { serialNumber: null, ranges: [] }

const DIGITS_MAX = 19

/**
 * What is known after an answer: changes to what was known where the question named its serial number, else all anew. An
 * answer without ranges changes none of them.
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
    version: MESSAGE_VERSIONS.findLast((version) => from <= version && version <= to) ?? null,
  }
}
