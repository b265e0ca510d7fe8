import { isText, type ToPage } from '../wire/index.ts'
import { CheckoutError } from './checkout-error.ts'
import type { OpenFrame } from './frame.ts'
import type { OnChallenge } from './options.ts'

/** The token that the shop's server needs to charge the card, and the card's displayable details. */
export type TokenizedCard = TypedCard | ChosenCard

/** A card that the buyer has typed. */
export interface TypedCard {
  /** Single use; give it to your server, which creates a payment instrument from it. */
  serviceToken: string
  card: Extract<ToPage, { type: 'token' }>['card']
  paymentInstrumentId?: never
  securityCodeToken?: never
}

/**
 * A saved card that the buyer has chosen. Give both names to your server, which pays with them once it has seen that the
 * instrument is its customer's: what comes from a page may be anything.
 */
export interface ChosenCard {
  paymentInstrumentId: string
  /** Single use, good for 15 minutes and for this instrument alone. */
  securityCodeToken: string
  card: Extract<ToPage, { type: 'code' }>['card']
  serviceToken?: never
}

/** The frame's answers to a request. */
type TokenMessage = Extract<ToPage, { request: string }>

/** The requests of one card form for a token, of which one is under way at a time. */
export interface Tokenizer {
  /** Asks the frame for a token; while a request is under way, its promise is returned. */
  ask(frame: Pick<OpenFrame, 'post'>): Promise<TokenizedCard>
  /** Takes the frame's answer; the answer to an earlier try, which has timed out, is ignored. */
  settle(answer: TokenMessage): void
  /** Ends the request that is under way, if there is one, because the frame cannot answer. */
  fail(reason: CheckoutError): void
}

/** Makes what asks for the tokens of one card form. */
export function createTokenizer(onChallenge: OnChallenge | undefined): Tokenizer {
  let request = ''
  let result: Promise<TokenizedCard> | null = null
  let finish = (_outcome: TokenizedCard | CheckoutError): void => {}
  let refuse: (refusal: CheckoutError) => Promise<void> | void = finish

  return {
    ask: (frame) => (result ??= begin(frame)),
    settle(answer) {
      if (answer.request !== request) return
      if (answer.type === 'failed') {
        void refuse(new CheckoutError(answer.code, answer.message, answer))
      } else {
        const { type: _type, request: _request, ...token } = answer
        finish(token)
      }
    },
    fail: (reason) => finish(reason),
  }

  function begin({ post }: Pick<OpenFrame, 'post'>): Promise<TokenizedCard> {
    return new Promise((resolve, reject) => {
      const send = (challengeResponse?: string): void => {
        request = crypto.randomUUID()
        post({ type: 'tokenize', request, challengeResponse })
      }
      finish = (outcome) => {
        request = ''
        result = null
        if (outcome instanceof CheckoutError) reject(outcome)
        else resolve(outcome)
      }
      refuse = async (refusal) => {
        if (refusal.code !== 'challenge_required' || !onChallenge) return finish(refusal)
        refuse = finish // the buyer is asked once
        const asked = request
        let response: unknown
        try {
          response = await onChallenge(refusal)
        } catch (error) {
          refusal.cause = error
        }
        // Meanwhile the form may have gone away.
        if (request !== asked) return
        if (isText(response)) send(response)
        else finish(refusal)
      }
      send()
    })
  }
}
