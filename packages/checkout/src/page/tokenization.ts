import type { ToPage } from '../wire/messages.ts'
import { CheckoutError } from './checkout-error.ts'

/** How long a tokenisation may take before the frame counts as dead; the frame itself gives the network less. */
export const TOKENIZE_TIMEOUT_MS = 45_000

/** What the shop's server needs to charge the card, and what may be shown of it. */
export interface TokenizedCard {
  /** Single use; give it to your server, which creates a payment instrument from it. */
  serviceToken: string
  card: Extract<ToPage, { type: 'token' }>['card']
}

/** One request for a token that is under way. */
export class Tokenization {
  /** Names the request on the wire. */
  readonly request: string
  readonly result: Promise<TokenizedCard>
  #finish: (outcome: TokenizedCard | CheckoutError) => void = () => {}

  constructor(request: string) {
    this.request = request
    this.result = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.fail(new CheckoutError('frame_unavailable', 'The card form no longer answers; mount it again.'))
      }, TOKENIZE_TIMEOUT_MS)
      this.#finish = (outcome) => {
        clearTimeout(timer)
        if (outcome instanceof CheckoutError) reject(outcome)
        else resolve(outcome)
      }
    })
  }

  /** Takes the frame's answer; the answer to an earlier request, which nobody awaits any more, is ignored. */
  settle(answer: Extract<ToPage, { type: 'token' | 'failed' }>): void {
    if (answer.request !== this.request) return
    if (answer.type === 'failed') this.fail(new CheckoutError(answer.code, answer.message, answer))
    else this.#finish({ serviceToken: answer.serviceToken, card: answer.card })
  }

  /** Ends the request because the frame cannot answer. */
  fail(error: CheckoutError): void {
    this.#finish(error)
  }
}
