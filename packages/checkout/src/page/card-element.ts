import type { ToPage } from '../wire/messages.ts'
import { CardListeners, type CardEvents } from './card-events.ts'
import { CheckoutError } from './checkout-error.ts'
import { openFrame, type OpenFrame } from './open-frame.ts'
import { readCardOptions, type CardOptions, type Settings } from './read-options.ts'
import { Tokenization, type TokenizedCard } from './tokenization.ts'

/** A card form: number, expiry date, security code and, where asked for, the cardholder's name in one frame of the vault, whose content no page can read. */
export class CardElement {
  #settings: Settings
  readonly #listeners = new CardListeners()
  #frame: OpenFrame | null = null
  #tokenization: Tokenization | null = null
  #destroyed = false

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /**
   * Puts the form into the page, as the last child of an element.
   *
   * @param target The element or a selector of it.
   * @throws CheckoutError `element_not_found`, `already_mounted`, `destroyed`.
   */
  mount(target: string | Element): this {
    if (this.#destroyed) throw new CheckoutError('destroyed', 'This card was destroyed; make another with card().')
    if (this.#frame) throw new CheckoutError('already_mounted', 'This card is mounted; call unmount() first.')
    const parent = typeof target === 'string' ? document.querySelector(target) : target
    if (!(parent instanceof Element)) {
      const what = typeof target === 'string' ? `matches "${target}"` : 'was given'
      throw new CheckoutError('element_not_found', `No element ${what}; mount() after it is in the page.`)
    }
    this.#frame = openFrame(parent, this.#settings, {
      onMessage: (message) => this.#receive(message),
      onFailure: (error) => {
        this.#leave(error)
        this.#listeners.emit('error', error)
      },
    })
    this.#configure(this.#frame)
    return this
  }

  /**
   * Calls a function whenever something happens in the form.
   *
   * @returns A function that ends it.
   * @throws CheckoutError `argument_invalid` for an event that there is not.
   */
  on<E extends keyof CardEvents>(event: E, listener: (...details: CardEvents[E]) => void): () => void {
    if (!this.#listeners.knows(event)) throw new CheckoutError('argument_invalid', `There is no event "${event}".`)
    return this.#listeners.add(event, listener)
  }

  /**
   * Turns the typed card into a service token. A call while another is under way returns that one's promise, so a
   * double click on the pay button makes one token.
   *
   * @throws CheckoutError `card_incomplete` and `card_invalid` (the form shows where and takes the keyboard),
   *   `network_failed`, `tokenize_rejected`, `frame_unavailable`, `not_mounted`.
   */
  tokenize(): Promise<TokenizedCard> {
    // A page that renders anew may have thrown the frame away without unmount().
    if (!this.#frame?.iframe.isConnected) return Promise.reject(notMounted())
    if (this.#tokenization) return this.#tokenization.result
    const tokenization = new Tokenization(crypto.randomUUID())
    const forget = (): void => {
      if (this.#tokenization === tokenization) this.#tokenization = null
    }
    tokenization.result.then(forget, forget)
    this.#tokenization = tokenization
    this.#frame.post({ type: 'tokenize', request: tokenization.request })
    return tokenization.result
  }

  /** Moves the keyboard to the card number. */
  focus(): void {
    this.#frame?.iframe.focus()
    this.#frame?.post({ type: 'focus' })
  }

  /** Empties every field. */
  clear(): void {
    this.#frame?.post({ type: 'clear' })
  }

  /**
   * Changes options; what was typed stays.
   *
   * @throws CheckoutError `argument_invalid`.
   */
  update(options: CardOptions): void {
    this.#settings = { ...this.#settings, options: readCardOptions(options, this.#settings.options) }
    if (this.#frame) this.#configure(this.#frame)
  }

  /** Takes the form out of the page, and with it all that was typed. It may be mounted again, empty. */
  unmount(): void {
    this.#frame?.close()
    this.#leave(notMounted())
  }

  /** Unmounts for good and forgets every listener. */
  destroy(): void {
    this.unmount()
    this.#destroyed = true
    this.#listeners.clear()
  }

  #configure(frame: OpenFrame): void {
    const { options } = this.#settings
    const { theme = 'light' } = options.appearance
    // A frame whose colour scheme differs from its element's is painted on an opaque ground instead of the page's.
    frame.iframe.style.colorScheme = theme === 'auto' ? 'light dark' : theme
    frame.post({ type: 'configure', ...options })
  }

  #leave(reason: CheckoutError): void {
    this.#frame = null
    this.#tokenization?.fail(reason)
    this.#tokenization = null
  }

  #receive(message: ToPage): void {
    switch (message.type) {
      case 'change': {
        const { type, ...state } = message
        return this.#listeners.emit(type, state)
      }
      case 'brand': {
        const { type, ...brand } = message
        return this.#listeners.emit(type, brand)
      }
      case 'ready':
      case 'focus':
      case 'blur':
      case 'submit':
        return this.#listeners.emit(message.type)
      case 'resize':
        return this.#resize(message.height)
      case 'token':
      case 'failed':
        return this.#tokenization?.settle(message)
    }
  }

  #resize(heightPx: number): void {
    if (this.#frame) this.#frame.iframe.style.height = `${heightPx}px`
  }
}

function notMounted(): CheckoutError {
  return new CheckoutError('not_mounted', 'The card is not in the page; call mount() first.')
}
