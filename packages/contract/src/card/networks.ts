/** All card networks. */
export const networkNames = [
  'visa',
  'mastercard',
  'amex',
  'discover',
  'diners',
  'jcb',
  'unionpay',
  'maestro',
  'elo',
  'mir',
  'hiper',
  'hipercard',
  'verve',
  'troy',
  'rupay',
  'uatp',
  'cartes_bancaires',
  'bancontact',
] as const

/** A card network. */
export type NetworkName = (typeof networkNames)[number]

/** All brand names: the networks, and the fallback. */
export const brandNames = [...networkNames, 'unknown'] as const

/** The network of a card, as far as its number identifies one. */
export type BrandName = (typeof brandNames)[number]

/** Brands whose display name is not just their name with a capital. */
const titles: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  rupay: 'RuPay',
  uatp: 'UATP',
  cartes_bancaires: 'Cartes Bancaires',
  unknown: '',
}

/**
 * The display name of a brand, the same in every language.
 *
 * @param name A `BrandName`; another name gets a capital. Nothing is shown for `unknown`.
 */
export function brandTitle(name: string): string {
  return titles[name] ?? name.replace(/^./, (letter) => letter.toUpperCase())
}

/** Rules for all cards of a network. */
export interface NetworkRules {
  /** Possible lengths of a number, in digits. */
  lengths: readonly number[]
  /** The length of nearly every number; `null` if several are common. */
  usualLength: number | null
  /** Possible lengths of a security code; `[0]` if payments are made without one. */
  cvcLengths: readonly number[]
  /** The network's name for its security code. */
  cvcName: string
  /** Positions of the spaces in an embossed number: `[4, 10]` is `3782 822463 10005`. */
  breaks: readonly number[]
  /** Whether every card has a check digit. */
  luhn: boolean
  /** Networks that a card can belong to as well, if its number is also in their ranges. */
  partners: readonly NetworkName[]
}

/** The first digits of a network's cards, inclusive and of equal length: `2221` to `2720`. */
export interface NetworkRange {
  network: NetworkName
  low: string
  high: string
}

const from12To19 = [12, 13, 14, 15, 16, 17, 18, 19]
const from16To19 = [16, 17, 18, 19]

const most: NetworkRules = {
  lengths: [16],
  usualLength: 16,
  cvcLengths: [3],
  cvcName: 'CVV',
  breaks: [4, 8, 12, 16],
  luhn: true,
  partners: [],
}

/** Rules for a card of an unknown network. */
export const unknownRules: NetworkRules = {
  ...most,
  lengths: from12To19,
  usualLength: null,
  cvcLengths: [3, 4],
  cvcName: 'CVC',
}

/**
 * Each network's ranges, and its rules where they differ from `most`. If ranges of two networks contain a number, the
 * longer range wins, and the first listed one if they are equally long. A number shorter than the one before it
 * replaces that number's end: `2221-720 36` means 2221 to 2720 and 2736.
 *
 * Sources: the networks' own number range guides for the international ones; ISO/IEC 7812 for UATP (issuers of major
 * industry 1). The national networks publish less: Elo, Hiper, Hipercard and Troy as in credit-card-type 10, Verve from
 * Interswitch, RuPay from NPCI's acquirers, Bancontact from its processors. UnionPay has issued cards without a check
 * digit. Cartes Bancaires cards carry Visa or Mastercard numbers, and their ranges are not public: pass them to
 * `networksOf()` if you have them. Bancontact payments have no security code (Adyen's and Worldline's guides): a code
 * on such a card belongs to its other network.
 *
 * Where tables differ, the card decides that can be paid with. Dankort (5019, Nets) and Naranja (589562) lie in Maestro's
 * ranges and are not Maestro's: no network here takes them, so they are shown without one. BC cards (6555...) stay
 * Discover's, because outside Korea that network takes them. 1800 and 2131 were JCB's numbers of 15 digits, which it has
 * ceased to issue: its table has 3528 to 3589, and 1 is UATP's. Visa's numbers have 16 digits, old ones 13, some 19;
 * credit-card-type has 18 as well, of which none is known to have been issued.
 */
const rows: Readonly<Record<NetworkName, Partial<NetworkRules> & { ranges: string }>> = {
  bancontact: {
    ranges: '6703 479658 606005',
    lengths: from16To19,
    cvcLengths: [0],
    cvcName: 'CVC',
    partners: ['maestro', 'visa'],
  },
  cartes_bancaires: { ranges: '', partners: ['visa', 'mastercard'] },
  visa: { ranges: '4', lengths: [13, 16, 19] },
  mastercard: { ranges: '51-5 2221-720', cvcName: 'CVC' },
  amex: { ranges: '34 37', lengths: [15], usualLength: 15, cvcLengths: [4], cvcName: 'CID', breaks: [4, 10] },
  unionpay: {
    ranges: '62 8100-71 622126-925',
    lengths: from16To19,
    usualLength: null,
    cvcName: 'CVN',
    luhn: false,
    partners: ['discover'],
  },
  discover: { ranges: '65 644-9 6011 622126-925', lengths: from16To19, cvcName: 'CID' },
  diners: { ranges: '36 38-9 300-5 3095', lengths: [14, 15, 16, 17, 18, 19], usualLength: 14, breaks: [4, 10] },
  jcb: { ranges: '3528-89', lengths: from16To19 },
  maestro: {
    ranges: '67 56-7 500 502-9 580-8 639 5010-8 5890-4 5896-9 6304 58950-5 58957-9 493698 589560-1 3-9',
    lengths: from12To19,
    usualLength: null,
    cvcName: 'CVC',
  },
  troy: {
    ranges:
      '9792 650052 82-3 92 161 70 3 5 268 71 3-4 456-7 836 46-50 923 87 90 4997 7366 998 8758 67-8 65083700-4 5800-4 900-1 6000 100-5 200-3 875000-3 9 101-4 200 501 601 900 6000-2 100-3 10 5-6 200-1 500 4-5 600-2 7100-1 600-2 700 801-2 8200-2 300-11 400-5 500-5 600-1 9800 80800 900',
    partners: ['discover'],
  },
  elo: {
    ranges:
      '401178-9 31274 8935 51416 7393 631-2 504175 6699-778 9000-999 627780 36297 368 50031-3 5-51 405-39 85-538 41-98 700-18 20-7 901-78 1652-79 5000-19 21-58',
    cvcName: 'CVE',
    partners: ['discover'],
  },
  mir: { ranges: '2200-4', lengths: from16To19, usualLength: null, cvcName: 'CVP2' },
  hiper: { ranges: '637095 637568 637599 637609 637612 63737423 63743358', cvcName: 'CVC' },
  hipercard: { ranges: '606282', cvcName: 'CVC' },
  verve: {
    ranges: '506099-198 507865-964 650002-27',
    lengths: [16, 18, 19],
    usualLength: null,
    partners: ['discover'],
  },
  rupay: {
    ranges: '508500-999 606985-7984 608001-500 652150-3149 817200-20199',
    partners: ['discover'],
  },
  uatp: { ranges: '1', lengths: [15], usualLength: 15, breaks: [4, 9] },
}

const ranges = /* @__PURE__ */ longestFirst()

/** Whether a text is the name of a network. */
export function isNetworkName(text: string): text is NetworkName {
  return Object.hasOwn(rows, text)
}

/** The rules of a network's cards. */
export function rulesOf(network: NetworkName): NetworkRules {
  return { ...most, ...rows[network] }
}

/**
 * Finds the networks of a card. More than one means that the card is co-badged and its buyer may choose.
 *
 * @param digits The number so far, digits only.
 * @param more Ranges that are not public, such as those of Cartes Bancaires; they take precedence over built-in ranges
 *   of the same length.
 * @returns The networks, the one to show first at the front; empty if there is no match or there are too few digits.
 */
export function networksOf(digits: string, more: readonly NetworkRange[] = []): NetworkName[] {
  // Strings compare like the numbers they spell, digit by digit from the left.
  const fitting = [...more, ...ranges].filter(
    ({ low, high }) => digits.length >= low.length && digits >= low && (digits <= high || digits.startsWith(high)),
  )
  const [first] = fitting.toSorted(byLength)
  if (!first) return []
  const isThere = (name: NetworkName): boolean => fitting.some(({ network }) => network === name)
  return [first.network, ...rulesOf(first.network).partners.filter(isThere)]
}

/** All built-in ranges, in table order. */
export function allRanges(): readonly NetworkRange[] {
  return ranges
}

function longestFirst(): NetworkRange[] {
  // The keys are those of the record's type.
  const networks = Object.keys(rows) as NetworkName[]
  return networks.flatMap((network) => parse(network, rows[network].ranges)).toSorted(byLength)
}

function parse(network: NetworkName, text: string): NetworkRange[] {
  let whole = ''
  return (
    text.match(/\S+/g)?.map((range) => {
      const [low = '', high = low] = range.split('-').map((end) => (whole = whole.slice(0, -end.length) + end))
      return { network, low, high }
    }) ?? []
  )
}

function byLength(one: NetworkRange, other: NetworkRange): number {
  return other.low.length - one.low.length
}
