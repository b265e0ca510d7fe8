import { ApiError } from '../../runtime/index.ts'
import { findsCardNumber, findsPrintedCardNumber } from '../../vault/index.ts'

/**
 * Refuses a card number that a program sends to where none belongs, before it can get into a row, an event or a log.
 *
 * @param where `body` or `address`; what was found is not repeated.
 * @throws {ApiError} `parameter_invalid`.
 */
export function refuseCardNumber(text: string, where: 'body' | 'address'): void {
  if (findsCardNumber(text)) throw cardNumberIn(where)
}

/**
 * Refuses a card number in the text of a file, which has numbers in rows of its own: code, coordinates, tables.
 *
 * @throws {ApiError} `parameter_invalid`.
 */
export function refusePrintedCardNumber(text: string): void {
  if (findsPrintedCardNumber(text)) throw cardNumberIn('body')
}

function cardNumberIn(where: 'body' | 'address'): ApiError {
  return new ApiError(
    'parameter_invalid',
    `The ${where} contains what looks like a card number. Enter card numbers in the card frame only, and send its serviceToken.`,
  )
}

/** An address as a person reads it; one that cannot be decoded as it is. */
export function decodedAddress(url: string): string {
  if (!/[%+]/.test(url)) return url
  try {
    return decodeURIComponent(url.replaceAll('+', ' '))
  } catch {
    return url
  }
}
