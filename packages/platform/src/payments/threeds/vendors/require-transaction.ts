import type { AuthenticationRequest } from '../provider.ts'

/**
 * Makes sure that an answer is the one to this request: another buyer's outcome must never end up here.
 *
 * @throws {Error}
 */
export function requireTransaction(answered: string, { message }: AuthenticationRequest): void {
  if (answered === message.threeDSServerTransID) return
  throw new Error(`The answer is that of the transaction ${answered}, not of ${message.threeDSServerTransID}.`)
}
