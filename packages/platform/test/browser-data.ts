import type { BrowserData } from '@tillwright/contract'

/** What a browser says of itself. */
export const browserData: BrowserData = {
  javaEnabled: false,
  language: 'en-GB',
  colorDepth: 24,
  screenHeight: 1_080,
  screenWidth: 1_920,
  timeZoneOffset: -60,
  challengeWindowSize: '03',
}
