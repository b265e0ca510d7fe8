/**
 * Finds a card number in bytes, in any of the forms that it could have leaked in: its digits plain or in groups, as
 * UTF-16, in hexadecimal, and in base64 or base64url at any offset.
 *
 * @returns The name of each form found; none is what one wants.
 */
export function cardTraces(bytes: Buffer, number: string): string[] {
  return formsOf(number).flatMap(([name, form]) => (bytes.includes(form) ? [name] : []))
}

function formsOf(number: string): (readonly [name: string, form: Buffer])[] {
  const groups = number.match(/.{1,4}/g) ?? []
  const texts = [
    number,
    groups.join(' '),
    groups.join('-'),
    groups.join('+'),
    groups.join('%20'),
    groups.join('\u00a0'),
  ]
  return texts.flatMap((text) => [
    [text, Buffer.from(text)] as const,
    [`UTF-16 of ${text}`, Buffer.from(text, 'utf16le')] as const,
    [`hex of ${text}`, Buffer.from(Buffer.from(text).toString('hex'))] as const,
    ...[0, 1, 2].map((offset) => [`base64 of ${text} at ${offset}`, Buffer.from(base64Core(text, offset))] as const),
  ])
}

/** The characters that a text becomes in base64 whatever stands before and after it. Digits and ASCII need no + or /. */
function base64Core(text: string, offset: number): string {
  const encoded = Buffer.from('\0'.repeat(offset) + text).toString('base64url')
  const start = Math.ceil((offset * 8) / 6)
  return encoded.slice(start, Math.floor(((offset + Buffer.byteLength(text)) * 8) / 6))
}
