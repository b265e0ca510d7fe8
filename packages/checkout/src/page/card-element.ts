import { type CardBrand, type CardChange, type CardEvents, type CardListeners, createListeners } from './card-events.ts'
import { CheckoutError } from './checkout-error.ts'
import { type MessageToCard, openFrame, type OpenFrame } from './frame.ts'
import { type CardOptions, readCardOptions, type Settings } from './options.ts'
import { createTokenizer, type TokenizedCard, type Tokenizer } from './tokenizer.ts'
import { warnShop } from './warn-shop.ts'

/**
 * A card form: number, expiry date, security code and, where asked for, the cardholder's name in one frame of the vault,
 * whose content no page can read.
 */
export interface CardElement {
  /**
   * Puts the form into the page, as the last child of an element. Until it is ready, its fields are drawn in its place.
   *
   * @param target The element or a selector of it.
   * @throws CheckoutError `element_not_found`, `already_mounted`, `destroyed`.
   */
  mount(target: string | Element): CardElement

  /**
   * Mounts the form where it was mounted before: after a `loaderror`, an `error` or `unmount()`, or when the page has thrown
   * it away. While it is mounted, nothing happens.
   *
   * @throws CheckoutError `element_not_found`, `destroyed`.
   */
  retry(): void

  /**
   * Calls a function whenever something happens in the form.
   *
   * @returns A function that ends it.
   * @throws CheckoutError `argument_invalid` for an event that there is not.
   */
  on<E extends keyof CardEvents>(event: E, listener: (...details: CardEvents[E]) => void): () => void

  /**
   * Turns the typed card into a service token, or the security code of the chosen saved card into a token of its own. A
   * call while another is under way returns that one's promise, so a double click on the pay button makes one token.
   *
   * @throws CheckoutError `card_incomplete` and `card_invalid` (the form shows where and takes the keyboard),
   *   `network_failed`, `tokenize_rejected`, `challenge_required`, `frame_unavailable`, `not_mounted`.
   */
  tokenize(): Promise<TokenizedCard>

  /** Moves the keyboard to the card number, or to the security code of the saved card that is chosen. */
  focus(): void

  /** Empties every field. */
  clear(): void

  /**
   * Changes options; what was typed stays.
   *
   * @throws CheckoutError `argument_invalid`.
   */
  update(options: CardOptions): void

  /** Takes the form out of the page, and with it all that was typed. It may be mounted again, empty. */
  unmount(): void

  /** Unmounts for good: no listener is called any more. */
  destroy(): void
}

/** Makes a card form that is not in the page yet. */
export function createCard(settings: Settings): CardElement {
  const listeners = createListeners()
  const tokenizer = createTokenizer(settings.onChallenge)
  let { options } = settings
  let home: string | Element = ''
  let frame: OpenFrame | null = null
  let isDestroyed = false
  // A page that renders anew may have thrown the frame away without unmount().
  const isMounted = () => frame?.iframe.isConnected

  const card: CardElement = {
    mount(target) {
      if (isDestroyed) throw new CheckoutError('destroyed', 'The card was destroyed; make one.')
      if (isMounted()) throw new CheckoutError('already_mounted', 'The card is mounted; unmount() it first.')
      card.unmount()
      const onMessage = (message: MessageToCard): void => forward(message, listeners, tokenizer)
      frame = openFrame(elementOf(target), { ...settings, options }, { onMessage, onFailure: fail })
      home = target
      configure(frame)
      return card
    },
    retry: () => void (isMounted() || card.mount(home)),
    on: listeners.on,
    tokenize: () => (frame && isMounted() ? tokenizer.ask(frame) : Promise.reject(notMounted())),
    focus() {
      frame?.iframe.focus()
      frame?.post({ type: 'focus' })
    },
    clear: () => frame?.post({ type: 'clear' }),
    update(given) {
      options = readCardOptions(given, options)
      if (frame) configure(frame)
    },
    unmount() {
      frame?.close()
      leave(notMounted())
    },
    destroy() {
      card.unmount()
      isDestroyed = true
    },
  }
  return card

  function configure({ iframe, post }: OpenFrame): void {
    const { theme = 'light' } = options.appearance
    // A frame whose colour scheme differs from its element's is painted on an opaque ground instead of the page's.
    iframe.style.colorScheme = theme === 'auto' ? 'light dark' : theme
    post({ type: 'configure', ...options })
  }

  function leave(reason: CheckoutError): void {
    frame = null
    tokenizer.fail(reason)
  }

  function fail(event: 'loaderror' | 'error', error: CheckoutError): void {
    leave(error)
    warnShop(error.message)
    listeners.emit(event, error)
  }
}

/** Passes a message to the tokenizer or to listeners. */
function forward(message: MessageToCard, { emit }: CardListeners, { settle }: Tokenizer): void {
  if ('request' in message) return settle(message)
  const { type, ...state } = message
  // The state is that of this very message, so that it has all that the listeners of its type are promised.
  if (type === 'change' || type === 'brand') emit(type, state as CardChange & CardBrand)
  else emit(type)
}

function elementOf(target: string | Element): Element {
  const element = typeof target === 'string' ? document.querySelector(target) : target
  if (element instanceof Element) return element
  throw new CheckoutError('element_not_found', 'mount() needs an element or its selector.')
}

function notMounted(): CheckoutError {
  return new CheckoutError('not_mounted', 'The card is not mounted; mount() it first.')
}
