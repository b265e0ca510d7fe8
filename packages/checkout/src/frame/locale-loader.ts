import { en, pickLocale, type Texts } from '../locales/index.ts'

/**
 * How long a form waits for its language before it shows itself in the one that it has: too short for a visible flash.
 */
export const PATIENCE_MS = 300

/** Gets the texts of a language; `null` when they cannot be had. Never throws. */
export type LoadTexts = (locale: string) => Promise<Texts | null>

/** Loads a form's language: English until another one has arrived. */
export class LocaleLoader {
  readonly #load: LoadTexts
  readonly #say: (texts: Texts) => void
  readonly #patience: () => Promise<void>
  #spoken = en.locale
  #wanted = en.locale
  #settled = Promise.resolve()

  /**
   * @param say Called with the texts of each language when it becomes current.
   * @param patience Ends the wait for a language; by default after `PATIENCE_MS`.
   */
  constructor(load: LoadTexts, say: (texts: Texts) => void, patience = patienceOver) {
    this.#load = load
    this.#say = say
    this.#patience = patience
  }

  /**
   * Changes to the language of a locale; the last call wins. Where its texts cannot be had, all stays as it is, and the
   * next call tries again.
   *
   * @returns When the language is spoken or cannot be, and at the latest when patience is at its end.
   */
  setLocale(locale: string): Promise<void> {
    const wanted = pickLocale(locale)
    if (wanted !== this.#wanted) {
      this.#wanted = wanted
      this.#settled = Promise.race([this.#learn(wanted), this.#patience()])
    }
    return this.#settled
  }

  async #learn(locale: string): Promise<void> {
    const texts = await this.#load(locale)
    if (this.#wanted !== locale) return
    if (texts) this.#say(texts)
    else this.#wanted = this.#spoken
    this.#spoken = this.#wanted
  }
}

function patienceOver(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, PATIENCE_MS))
}
