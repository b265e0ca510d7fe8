import type { ToPage } from '../wire/messages.ts'
import { CheckoutError } from './checkout-error.ts'
import type { OpenFrame } from './open-frame.ts'

/** How long a tokenisation may take before the frame counts as dead; the frame itself gives the network less. */
export const TOKENIZE_TIMEOUT_MS = 45_000

/** What the shop's server needs to charge the card, and what may be shown of it. */
export interface TokenizedCard {
  /** Single use; give it to your server, which creates a payment instrument from it. */
  serviceToken: string
  card: Extract<ToPage, { type: 'token' }>['card']
}

/** The requests of one card form for a token, of which one is under way at a time. */
export interface Tokenizer {
  /** Asks the frame for a token; while a request is under way, its promise is returned. */
  ask(frame: Pick<OpenFrame, 'post'>): Promise<TokenizedCard>
  /** Takes the frame's answer; the answer to an earlier request, which nobody awaits any more, is ignored. */
  settle(answer: Extract<ToPage, { type: 'token' | 'failed' }>): void
  /** Ends the request that is under way, if there is one, because the frame cannot answer. */
  fail(reason: CheckoutError): void
}

/** Makes what asks for the tokens of one card form. */
export function createTokenizer(): Tokenizer {
  let request = ''
  let result: Promise<TokenizedCard> | null = null
  let finish = (_outcome: TokenizedCard | CheckoutError): void => {}

  return {
    ask: (frame) => (result ??= begin(frame)),
    settle(answer) {
      if (answer.request !== request) return
      if (answer.type === 'failed') finish(new CheckoutError(answer.code, answer.message, answer))
      else finish({ serviceToken: answer.serviceToken, card: answer.card })
    },
    fail: (reason) => finish(reason),
  }

  function begin({ post }: Pick<OpenFrame, 'post'>): Promise<TokenizedCard> {
    request = crypto.randomUUID()
    post({ type: 'tokenize', request })
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        finish(new CheckoutError('frame_unavailable', 'The card form does not answer; mount it again.'))
      }, TOKENIZE_TIMEOUT_MS)
      finish = (outcome) => {
        clearTimeout(timer)
        result = null
        if (outcome instanceof CheckoutError) reject(outcome)
        else resolve(outcome)
      }
    })
  }
}
