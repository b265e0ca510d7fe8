/** Warns the shop's developer on the page's console. */
export function warnShop(text: string): void {
  console.warn(`Tillwright: ${text}`)
}
