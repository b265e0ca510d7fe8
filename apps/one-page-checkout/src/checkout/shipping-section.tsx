import type { ShippingOption } from '@tillwright/plugin-sdk'
import { useMoney, useOrder, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useSettings } from '../look/use-settings.ts'
import { useWords } from '../texts/use-words.tsx'
import type { Shipping } from './use-shipping.ts'

/** How the goods are sent. Until the options are there, they have their places. */
export function ShippingSection({ options, chosenId, choose }: Shipping): JSX.Element {
  const { shipping } = useSettings()
  const say = useWords()
  return (
    <section class="section" aria-labelledby="ways-heading">
      <h2 id="ways-heading">{say('shippingMethod')}</h2>
      {options?.length === 0 ? (
        <p class="hint">{say('noShipping')}</p>
      ) : (
        <div class="ways" role="radiogroup" aria-labelledby="ways-heading" aria-busy={options === null}>
          {options?.map((option) => (
            <label class="way" key={option.id}>
              <input type="radio" name="way" checked={option.id === chosenId} onChange={() => choose(option.id)} />
              <OptionWords {...option} />
            </label>
          )) ?? Array.from({ length: Math.max(1, shipping.length) }, (_, index) => <WaitingOption key={index} />)}
        </div>
      )}
    </section>
  )
}

/** The option in the words of the settings, where they have some, and what it costs. */
function OptionWords({ id, name, description, amount }: ShippingOption): JSX.Element {
  const { shipping } = useSettings()
  const order = useOrder()
  const say = useWords()
  const t = useText()
  const money = useMoney()
  const words = shipping.find((each) => each.id === id)
  const note = t(words?.note) || description
  return (
    <>
      <span class="way-words">
        <span>{t(words?.name) || name}</span>
        {note !== '' && <small>{note}</small>}
      </span>
      <span class="way-price">{amount === 0 ? say('free') : money(amount, order?.currency ?? 'USD')}</span>
    </>
  )
}

function WaitingOption(): JSX.Element {
  return (
    <span class="way" aria-hidden="true">
      <span class="way-words">
        <span>&nbsp;</span>
        <small>&nbsp;</small>
      </span>
    </span>
  )
}
