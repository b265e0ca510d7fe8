import { isIP } from 'node:net'
import type { BrowserData } from '@tillwright/contract'

/** Browser data taken from the HTTP request itself. */
export interface BrowserRequest {
  accept?: string | undefined
  userAgent?: string | undefined
  /** The client's address. */
  address: string
}

/** The fields of an AReq that describe a browser. Source: EMV 3DS 2.2.0, AReq, device channel 02. */
export interface EmvBrowser {
  browserAcceptHeader: string
  browserIP?: string
  browserJavascriptEnabled: boolean
  /** The fields from here to `browserTZ` are there exactly when the browser runs scripts, which is how they are known. */
  browserJavaEnabled?: boolean
  browserColorDepth?: ColorDepth
  browserScreenHeight?: string
  browserScreenWidth?: string
  browserTZ?: string
  browserLanguage: string
  browserUserAgent: string
}

/** The colour depths that EMV 3DS knows, in bits. */
export const colorDepths = ['1', '4', '8', '15', '16', '24', '32', '48'] as const
type ColorDepth = (typeof colorDepths)[number]

/** Maximum length of a header, in characters. Longer ones are truncated, as EMV 3DS requires. */
const HEADER_MAX_CHARS = 2_048
const LANGUAGE_MAX_CHARS = 8
const SCREEN_MAX = 999_999
/** Minutes behind UTC: the clocks of the world go from UTC+14 to UTC-12. */
const ZONE_MIN = -14 * 60
const ZONE_MAX = 12 * 60
/** For a browser that does not name a language. */
const LANGUAGE_UNKNOWN = 'en'

/** Browser data, cut to the limits of EMV 3DS. */
export function browserFields(browser: BrowserData, request: BrowserRequest): EmvBrowser {
  return {
    ...requestFields(request),
    browserJavascriptEnabled: true,
    browserJavaEnabled: browser.javaEnabled,
    browserColorDepth: colorDepthOf(browser.colorDepth),
    browserScreenHeight: String(within(browser.screenHeight, 0, SCREEN_MAX)),
    browserScreenWidth: String(within(browser.screenWidth, 0, SCREEN_MAX)),
    browserTZ: String(within(browser.timeZoneOffset, ZONE_MIN, ZONE_MAX)),
    browserLanguage: languageOf(browser.language),
  }
}

/** The same of a browser of which nothing is known but that it is one. */
export const unknownBrowser: EmvBrowser = {
  browserAcceptHeader: '*/*',
  browserJavascriptEnabled: false,
  browserLanguage: LANGUAGE_UNKNOWN,
  browserUserAgent: 'unknown',
}

function requestFields({ accept, userAgent, address }: BrowserRequest) {
  return {
    browserAcceptHeader: accept?.slice(0, HEADER_MAX_CHARS) || unknownBrowser.browserAcceptHeader,
    browserUserAgent: userAgent?.slice(0, HEADER_MAX_CHARS) || unknownBrowser.browserUserAgent,
    ...(isIP(address) !== 0 && { browserIP: address.replace(/%.*$/, '') }),
  }
}

/** The next lower depth that EMV 3DS knows; the lowest for less than that. */
function colorDepthOf(bits: number): ColorDepth {
  return colorDepths.findLast((depth) => Number(depth) <= bits) ?? colorDepths[0]
}

/** The nearest whole number within two bounds. */
function within(value: number, least: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, value))) + 0 // which makes 0 of -0
}

/**
 * As many subtags of a language (RFC 5646) as fit into eight characters: `zh-Hant` of `zh-Hant-TW`. A subtag of one
 * character begins an extension, such as a calendar, which is none of the language.
 */
function languageOf(tag: string): string {
  const [language] = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{2,8})*(?=$|(-[A-Za-z0-9]{1,8})+$)/.exec(tag) ?? []
  if (language === undefined) return LANGUAGE_UNKNOWN
  const subtags = language.split('-')
  while (subtags.join('-').length > LANGUAGE_MAX_CHARS) subtags.pop()
  return subtags.join('-')
}
