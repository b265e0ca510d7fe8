/** What a bank may know of the buyer's browser. Source: EMV 3DS, the `browser...` fields of the AReq. */
export interface BrowserData {
  /** No browser that we serve runs Java. */
  javaEnabled: false
  /** BCP 47. */
  language: string
  /** Bits per pixel. */
  colorDepth: number
  /** CSS pixels. */
  screenHeight: number
  /** CSS pixels. */
  screenWidth: number
  /** UTC minus local time, in minutes: -60 in Berlin in winter. */
  timeZoneOffset: number
  /** A `WindowSize`. */
  challengeWindowSize: string
}

/** Reads the browser's data as it tells them; the vault brings them into EMV's limits. */
export function browserData(challengeWindowSize: string): BrowserData {
  return {
    javaEnabled: false,
    language: navigator.language,
    colorDepth: screen.colorDepth,
    screenHeight: screen.height,
    screenWidth: screen.width,
    timeZoneOffset: new Date().getTimezoneOffset(),
    challengeWindowSize,
  }
}
