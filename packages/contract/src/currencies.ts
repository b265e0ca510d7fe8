import { unusualDecimals } from './decimals.ts'

const twoDecimals =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC ' +
  'CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD ' +
  'KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO ' +
  'NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL ' +
  'THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG'

const exponents = new Map<string, number>([
  ...twoDecimals.split(' ').map((code) => [code, 2] as const),
  ...Object.entries(unusualDecimals),
])

/**
 * The number of decimals of a currency's major unit.
 *
 * @param code Upper-case ISO 4217, such as `EUR`.
 * @returns 0 for JPY, 2 for USD, 3 for KWD; `null` for a code that is not a current currency. Source: ISO 4217, list
 *   one.
 */
export function currencyExponent(code: string): number | null {
  return exponents.get(code) ?? null
}

/**
 * The currencies of each exponent, for conditions that depend on it. Those with two decimals are the rest: they are named by
 * `currencies` too, with `isRest`, as all that the others are not.
 */
export const currencyExponents: readonly { exponent: number; currencies: readonly string[]; isRest: boolean }[] = [
  { exponent: 2, currencies: Object.keys(unusualDecimals), isRest: true },
  ...[0, 3].map((exponent) => ({
    exponent,
    currencies: Object.keys(unusualDecimals).filter((code) => unusualDecimals[code] === exponent),
    isRest: false,
  })),
]

/** Each current currency's codes: alphabetic followed by numeric. */
const pairs =
  'AED784 AFN971 ALL008 AMD051 ANG532 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050 BHD048 BIF108 BMD060 ' +
  'BND096 BOB068 BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976 CHF756 CLP152 CNY156 COP170 CRC188 CUP192 ' +
  'CVE132 CZK203 DJF262 DKK208 DOP214 DZD012 EGP818 ERN232 ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292 ' +
  'GMD270 GNF324 GTQ320 GYD328 HKD344 HNL340 HTG332 HUF348 IDR360 ILS376 INR356 IQD368 IRR364 ISK352 JMD388 JOD400 ' +
  'JPY392 KES404 KGS417 KHR116 KMF174 KPW408 KRW410 KWD414 KYD136 KZT398 LAK418 LBP422 LKR144 LRD430 LSL426 LYD434 ' +
  'MAD504 MDL498 MGA969 MKD807 MMK104 MNT496 MOP446 MRU929 MUR480 MVR462 MWK454 MXN484 MYR458 MZN943 NAD516 NGN566 ' +
  'NIO558 NOK578 NPR524 NZD554 OMR512 PAB590 PEN604 PGK598 PHP608 PKR586 PLN985 PYG600 QAR634 RON946 RSD941 RUB643 ' +
  'RWF646 SAR682 SBD090 SCR690 SDG938 SEK752 SGD702 SHP654 SLE925 SOS706 SRD968 SSP728 STN930 SVC222 SYP760 SZL748 ' +
  'THB764 TJS972 TMT934 TND788 TOP776 TRY949 TTD780 TWD901 TZS834 UAH980 UGX800 USD840 UYI940 UYU858 UZS860 VES928 ' +
  'VND704 VUV548 WST882 XAF950 XCD951 XCG532 XOF952 XPF953 YER886 ZAR710 ZMW967 ZWG924'

const numbers = new Map(pairs.split(' ').map((pair) => [pair.slice(0, 3), pair.slice(3)] as const))
const codes = new Map([...numbers].map(([code, number]) => [number, code] as const))

/**
 * The numeric code of a currency, as card networks use it.
 *
 * @param code Upper-case ISO 4217, such as `EUR`.
 * @returns Three digits, such as `978`; `null` for a code that is not a current currency. Source: ISO 4217, list one.
 */
export function currencyNumber(code: string): string | null {
  return numbers.get(code) ?? null
}

/**
 * The currency with a numeric code.
 *
 * @param number Three digits with their leading zeros, such as `008`.
 * @returns The alphabetic code; if two currencies share a number (532: ANG, XCG), the newer one. `null` for an unknown
 *   number.
 */
export function currencyOfNumber(number: string): string | null {
  return codes.get(number) ?? null
}
