import {
  type EmvMessage,
  isList,
  isRecord,
  MESSAGE_VERSIONS,
  type MessageVersion,
  requiredText,
  textOf,
} from '@tillwright/emv-3ds'

/** The issuer of a card range, as a directory server reports it. */
export interface RangeIssuer {
  /** The method page of the issuer, or `null`. */
  methodUrl: string | null
  /** The versions that the issuer and the directory speak of those that are spoken here, oldest first. */
  versions: readonly MessageVersion[]
}

/**
 * A directory's known card ranges, and the serial number that the directory gives to this state of them. Two hundred
 * thousand ranges are columns in shared memory: a thread that has read them hands them over without a copy, and a card is
 * looked up without an object for each range.
 */
export interface KnownRanges {
  serialNumber: string | null
  count: number
  /** First numbers, filled up to nineteen digits with 0, in order; of those that begin alike the widest first. */
  starts: ArrayLike<bigint>
  /** Last numbers, filled up with 9. */
  ends: ArrayLike<bigint>
  /** The greatest last number up to each range: no range that begins earlier has a card above it. */
  reaches: ArrayLike<bigint>
  /** The place of each range's issuer in `issuers`. */
  issuerOf: ArrayLike<number>
  /** A JSON text of each distinct issuer, one after the other, and where each ends. */
  issuers: Uint8Array
  issuerEnds: ArrayLike<number>
}

const DIGITS_MAX = 19

interface CardRange {
  start: bigint
  end: bigint
  /** JSON of a `RangeIssuer`. */
  issuer: string
}

/** Before a directory was asked. */
export const noRanges: KnownRanges = tableOf(null, [])

/**
 * Applies an answer to the known ranges: as changes where the request named their serial number, otherwise as a full
 * replacement. An answer without ranges changes nothing.
 *
 * @param pres A checked PRes.
 */
export function rangesAfter(known: KnownRanges, pres: EmvMessage): KnownRanges {
  const serialNumber = textOf(pres, 'serialNumber') ?? null
  const listed = pres['cardRangeData']
  if (!isList(listed)) return { ...known, serialNumber: serialNumber ?? known.serialNumber }
  const byRange = new Map(known.serialNumber === null ? [] : rangesIn(known).map((range) => [keyOf(range), range]))
  for (const each of listed) {
    if (!isRecord(each)) continue
    const range = readRange({ ...pres, ...each })
    if (each['actionInd'] === 'D') byRange.delete(keyOf(range))
    else byRange.set(keyOf(range), range)
  }
  const ranges = [...byRange.values()].toSorted((a, b) =>
    a.start === b.start ? sign(b.end - a.end) : sign(a.start - b.start),
  )
  return tableOf(serialNumber, ranges)
}

function sign(difference: bigint): number {
  return difference < 0n ? -1 : Number(difference > 0n)
}

/** The issuer of a card, by the narrowest of the ranges that have it; `null` when it takes no part. */
export function issuerOfCard(cardNumber: string, known: KnownRanges): RangeIssuer | null {
  const number = BigInt(cardNumber.padEnd(DIGITS_MAX, '0'))
  let [low, high] = [0, known.count]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((known.starts[middle] ?? 0n) <= number) low = middle + 1
    else high = middle
  }
  let found = low - 1
  while (found >= 0 && number > (known.ends[found] ?? -1n) && number <= (known.reaches[found] ?? -1n)) found--
  if (number > (known.ends[found] ?? -1n)) return null
  // As `readRange` has written it.
  return JSON.parse(issuerText(known.issuerOf[found] ?? 0, known)) as RangeIssuer
}

function keyOf({ start, end }: CardRange): string {
  return `${start} ${end}`
}

/** @param listed A range's fields, over the PRes that it is in. */
function readRange(listed: EmvMessage): CardRange {
  const isSpoken = (version: MessageVersion) =>
    (['acs', 'ds'] as const).every((by) => {
      const from = requiredText(listed, `${by}StartProtocolVersion`)
      return from <= version && version <= requiredText(listed, `${by}EndProtocolVersion`)
    })
  const issuer: RangeIssuer = {
    methodUrl: textOf(listed, 'threeDSMethodURL') ?? null,
    versions: MESSAGE_VERSIONS.filter(isSpoken),
  }
  return {
    start: BigInt(requiredText(listed, 'startRange').padEnd(DIGITS_MAX, '0')),
    end: BigInt(requiredText(listed, 'endRange').padEnd(DIGITS_MAX, '9')),
    issuer: JSON.stringify(issuer),
  }
}

function rangesIn(known: KnownRanges): CardRange[] {
  const texts = Array.from({ length: known.issuerEnds.length }, (_, place) => issuerText(place, known))
  return Array.from({ length: known.count }, (_, index) => ({
    start: known.starts[index] ?? 0n,
    end: known.ends[index] ?? 0n,
    issuer: texts[known.issuerOf[index] ?? 0] ?? '',
  }))
}

function issuerText(place: number, { issuers, issuerEnds }: KnownRanges): string {
  const bytes = issuers.subarray(place === 0 ? 0 : issuerEnds[place - 1], issuerEnds[place])
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

/** @param ranges In order. */
function tableOf(serialNumber: string | null, ranges: readonly CardRange[]): KnownRanges {
  const placeOf = new Map([...new Set(ranges.map(({ issuer }) => issuer))].map((issuer, place) => [issuer, place]))
  const texts = [...placeOf.keys()].map((text) => Buffer.from(text))
  const starts = new BigUint64Array(new SharedArrayBuffer(ranges.length * BigUint64Array.BYTES_PER_ELEMENT))
  const ends = new BigUint64Array(new SharedArrayBuffer(starts.byteLength))
  const reaches = new BigUint64Array(new SharedArrayBuffer(starts.byteLength))
  const issuerOf = new Uint32Array(new SharedArrayBuffer(ranges.length * Uint32Array.BYTES_PER_ELEMENT))
  for (const [index, { start, end, issuer }] of ranges.entries()) {
    starts[index] = start
    ends[index] = end
    const before = reaches[index - 1] ?? 0n
    reaches[index] = before > end ? before : end
    issuerOf[index] = placeOf.get(issuer) ?? 0
  }
  const issuerEnds = new Uint32Array(new SharedArrayBuffer(texts.length * Uint32Array.BYTES_PER_ELEMENT))
  const issuers = new Uint8Array(new SharedArrayBuffer(texts.reduce((sum, { length }) => sum + length, 0)))
  let end = 0
  for (const [place, text] of texts.entries()) {
    issuers.set(text, end)
    end += text.length
    issuerEnds[place] = end
  }
  return { serialNumber, count: ranges.length, starts, ends, reaches, issuerOf, issuers, issuerEnds }
}
