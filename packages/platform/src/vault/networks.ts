// The card form and the vault hold this file both, letter by letter (a test compares them): the vault runs no code of
// the checkout, and the form has no room for a package in between.

/** Every name of a brand, the fallback included. */
export const brandNames = [
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
  'unknown',
] as const

/** A card's network, as far as its number tells. */
export type BrandName = (typeof brandNames)[number]

/** A card network. */
export type NetworkName = Exclude<BrandName, 'unknown'>

/** What holds for every card of a network. */
export interface NetworkRules {
  /** How many digits a number may have. */
  lengths: readonly number[]
  /** How many digits nearly every number has; `null` where several lengths are common. */
  usualLength: number | null
  /** How many digits a security code may have; `[0]` where payments go without one. */
  cvcLengths: readonly number[]
  /** What the network calls its security code. */
  cvcName: string
  /** Digits before which a space stands, as they are embossed: `[4, 10]` is `3782 822463 10005`. */
  breaks: readonly number[]
  /** Whether the last digit is a check digit on every card. */
  luhn: boolean
  /** Networks that a card of this one may belong to as well, where its number lies in their ranges too. */
  partners: readonly NetworkName[]
}

/** First digits of a network's cards, both ends included and of one length: `2221` to `2720`. */
export interface NetworkRange {
  network: NetworkName
  low: string
  high: string
}

const fours = [4, 8, 12, 16]
const from12To19 = [12, 13, 14, 15, 16, 17, 18, 19]
const from16To19 = [16, 17, 18, 19]

const most: NetworkRules = {
  lengths: [16],
  usualLength: 16,
  cvcLengths: [3],
  cvcName: 'CVV',
  breaks: fours,
  luhn: true,
  partners: [],
}

/** What is believed of a card that no network claims. */
export const unknownRules: NetworkRules = {
  lengths: from12To19,
  usualLength: null,
  cvcLengths: [3, 4],
  cvcName: 'CVC',
  breaks: fours,
  luhn: true,
  partners: [],
}

/**
 * Each network's ranges, and its rules where they differ from `most`. Where ranges of two networks hold a number, the
 * longer one names it; of two as long, the one that stands first here.
 *
 * Sources: the networks' own number range guides for the international ones; ISO/IEC 7812 for UATP (issuers of the
 * major industry 1). The national ones publish less: Elo, Hiper, Hipercard and Troy as in credit-card-type 10, Verve
 * from Interswitch, RuPay from NPCI's acquirers, Bancontact from its processors. UnionPay has issued cards without a
 * check digit. Cartes Bancaires are cards of Visa and Mastercard, and which of them is not public: their ranges are
 * given to `networksOf()` by whoever knows them. Bancontact's own payments have no security code (Adyen's and
 * Worldline's guides): where its cards bear one, it is for the other network on them.
 */
const rows: Readonly<Record<NetworkName, Partial<NetworkRules> & { ranges: string }>> = {
  bancontact: {
    ranges: '6703 479658 606005',
    lengths: from16To19,
    cvcLengths: [0],
    cvcName: 'CVC',
    partners: ['maestro', 'visa'],
  },
  cartes_bancaires: { ranges: '', lengths: [16], partners: ['visa', 'mastercard'] },
  visa: { ranges: '4', lengths: [13, 16, 19] },
  mastercard: { ranges: '51-55 2221-2720', cvcName: 'CVC' },
  amex: { ranges: '34 37', lengths: [15], usualLength: 15, cvcLengths: [4], cvcName: 'CID', breaks: [4, 10] },
  unionpay: {
    ranges: '62 622126-622925 8100-8171',
    lengths: from16To19,
    usualLength: null,
    cvcName: 'CVN',
    luhn: false,
    partners: ['discover'],
  },
  discover: { ranges: '6011 644-649 65 622126-622925', lengths: from16To19, cvcName: 'CID' },
  diners: { ranges: '300-305 3095 36 38-39', lengths: [14, 15, 16, 17, 18, 19], usualLength: 14, breaks: [4, 10] },
  jcb: { ranges: '3528-3589', lengths: from16To19 },
  maestro: {
    ranges: '50 56-58 6304 639 67 493698',
    lengths: from12To19,
    usualLength: null,
    cvcName: 'CVC',
  },
  troy: {
    ranges:
      '9792 650052 650082-650083 650092 650161 650170 650173 650175 650268 650271 650273-650274 650456-650457 650836 650846-650850 650923 650987 650990 654997 657366 657998 658758 658767-658768 65083700-65083704 65085800-65085804 65085900-65085901 65086000 65086100-65086105 65086200-65086203 65875000-65875003 65875009 65875101-65875104 65875200 65875501 65875601 65875900 65876000-65876002 65876100-65876103 65876110 65876115-65876116 65876200-65876201 65876500 65876504-65876505 65876600-65876602 65877100-65877101 65877600-65877602 65877700 65877801-65877802 65878200-65878202 65878300-65878311 65878400-65878405 65878500-65878505 65878600-65878601 65879800 65880800 65880900',
    partners: ['discover'],
  },
  elo: {
    ranges:
      '401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509000-509999 627780 636297 636368 650031-650033 650035-650051 650405-650439 650485-650538 650541-650598 650700-650718 650720-650727 650901-650978 651652-651679 655000-655019 655021-655058',
    cvcName: 'CVE',
    partners: ['discover'],
  },
  mir: { ranges: '2200-2204', lengths: from16To19, usualLength: null, cvcName: 'CVP2' },
  hiper: { ranges: '637095 637568 637599 637609 637612 63737423 63743358', cvcName: 'CVC' },
  hipercard: { ranges: '606282', cvcName: 'CVC' },
  verve: {
    ranges: '506099-506198 507865-507964 650002-650027',
    lengths: [16, 18, 19],
    usualLength: null,
    partners: ['discover'],
  },
  rupay: {
    ranges: '508500-508999 606985-607984 608001-608500 652150-653149 817200-820199',
    partners: ['discover'],
  },
  uatp: { ranges: '1', lengths: [15], usualLength: 15, breaks: [4, 9] },
}

const ranges = /* @__PURE__ */ longestFirst()

/** The rules of a network's cards. */
export function rulesOf(network: NetworkName): NetworkRules {
  return { ...most, ...rows[network] }
}

/**
 * Names the networks that a card belongs to. More than one is a co-badged card: its buyer may choose between them.
 *
 * @param digits The number so far, digits only.
 * @param more Ranges that only a few know, such as those of Cartes Bancaires; they go before ours of the same length.
 * @returns The network to show first; empty while the digits fit none or are too few.
 */
export function networksOf(digits: string, more: readonly NetworkRange[] = []): NetworkName[] {
  const fitting = [...more, ...ranges].filter(({ low, high }) => {
    const prefix = digits.slice(0, low.length)
    // Strings of one length compare like the numbers they spell.
    return prefix.length === low.length && prefix >= low && prefix <= high
  })
  const [first] = fitting.toSorted(byLength)
  if (!first) return []
  const isThere = (name: NetworkName): boolean => fitting.some(({ network }) => network === name)
  return [first.network, ...rulesOf(first.network).partners.filter(isThere)]
}

/** Every range of the table, in the order of the table. */
export function allRanges(): readonly NetworkRange[] {
  return ranges
}

function longestFirst(): NetworkRange[] {
  // The keys are those of the record's type.
  const networks = Object.keys(rows) as NetworkName[]
  return networks.flatMap((network) => parse(network, rows[network].ranges)).toSorted(byLength)
}

function parse(network: NetworkName, text: string): NetworkRange[] {
  return (
    text.match(/\S+/g)?.map((range) => {
      const [low = '', high = low] = range.split('-')
      return { network, low, high }
    }) ?? []
  )
}

function byLength(one: NetworkRange, other: NetworkRange): number {
  return other.low.length - one.low.length
}
