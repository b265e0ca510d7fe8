/** The digits of the time in an id, eight of them. Source: the contract's ids. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TIME_DIGITS = 8

/** When an object was created, in milliseconds since the Unix epoch. */
export function timeOfId(id: string): number {
  const [, time = ''] = /_([0-9A-Za-z]{8})/.exec(id) ?? []
  return [...time].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0)
}

/** Where in the event log a time is: what comes after it happened then or later. */
export function cursorAt(ms: number): string {
  let text = ''
  for (let rest = Math.max(0, Math.trunc(ms)); text.length < TIME_DIGITS; rest = Math.floor(rest / 62)) {
    text = (DIGITS[rest % 62] ?? '') + text
  }
  return `evt_${text}`
}
