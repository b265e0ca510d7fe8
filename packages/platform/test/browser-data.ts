import type { BrowserData } from '@tillwright/contract'

/** Browser data of a 3-D Secure request. */
export const browserData: BrowserData = {
  javaEnabled: false,
  language: 'en-GB',
  colorDepth: 24,
  screenHeight: 1_080,
  screenWidth: 1_920,
  timeZoneOffset: -60,
  challengeWindowSize: '03',
}
