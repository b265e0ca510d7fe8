import type { NetworkName } from '../card/networks.ts'
import { brandTitles } from './brand-titles.ts'
import { elementById } from './element-by-id.ts'

/** The choice between the networks of a co-badged card; it is shown only where there is one. */
export class NetworkChoice {
  /** The network that the payment is to go over; `null` where there is nothing to choose. */
  chosen: NetworkName | null = null
  /** While a card is on its way its network stays as it is. */
  locked = false
  readonly #field = elementById('networks-field', HTMLElement)
  readonly #group = elementById('networks', HTMLElement)
  #offered: readonly NetworkName[] = []

  /** @param onChoice Is called when the buyer has chosen another network. */
  constructor(onChoice: () => void) {
    // The arrow keys click as well. A click that is prevented leaves the choice as it was.
    this.#group.addEventListener('click', (event) => void (this.locked && event.preventDefault()))
    // The keyboard stays where it is: a message below a field that it leaves would move the choice away from the pointer.
    this.#group.addEventListener('mousedown', (event) => event.preventDefault())
    this.#group.addEventListener('change', ({ target }) => {
      this.chosen = this.#offered.find((name) => target instanceof HTMLInputElement && target.value === name) ?? null
      onChoice()
    })
  }

  /**
   * Shows a choice. What the buyer chose before stays, if it can; else it is the first.
   *
   * @param networks None, or at least two.
   */
  offer(networks: readonly NetworkName[]): void {
    if (networks.join() === this.#offered.join()) return
    const chosen = networks.find((name) => name === this.chosen) ?? networks[0] ?? null
    this.#offered = networks
    this.chosen = chosen
    this.#field.hidden = !chosen
    this.#group.replaceChildren(...networks.map((name) => optionOf(name, name === chosen)))
  }
}

function optionOf(name: NetworkName, checked: boolean): HTMLElement {
  const label = document.createElement('label')
  const radio = Object.assign(document.createElement('input'), { type: 'radio', name: 'network', value: name, checked })
  label.append(radio, brandTitles[name])
  return label
}
