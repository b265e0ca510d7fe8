/** Tells the shop's developer, on the console of the page, what goes wrong without a failure. */
export function warnShop(text: string): void {
  console.warn(`Tillwright: ${text}`)
}
