/** Currencies whose exponent in ISO 4217 is not 2, by exponent. */
const otherExponents = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

const twoDecimals =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC ' +
  'CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD ' +
  'KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO ' +
  'NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL ' +
  'THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG'

const exponents = new Map<string, number>([
  ...twoDecimals.split(' ').map((code) => [code, 2] as const),
  ...otherExponents,
])

/**
 * How many decimals the currency's major unit has.
 *
 * @param code Upper-case ISO 4217, such as `EUR`.
 * @returns 0 for JPY, 2 for USD, 3 for KWD; `null` for a code that is not a current currency. Source: ISO 4217, list one.
 */
export function currencyExponent(code: string): number | null {
  return exponents.get(code) ?? null
}
