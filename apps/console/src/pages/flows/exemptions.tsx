import { Choices } from '../../design/choices.tsx'
import { Select } from '../../design/controls.tsx'
import { text as objects } from '../../objects/text.ts'
import { text } from './text.ts'
import type { ExemptionPolicy, FlowDetails } from './words.ts'

interface ExemptionFieldsProps {
  value: FlowDetails['exemptionPolicy']
  onValue: (value: FlowDetails['exemptionPolicy']) => void
}

/** The exemptions from strong customer authentication that a flow asks for; a policy that names none is none. */
export function ExemptionFields({ value, onValue }: ExemptionFieldsProps) {
  const { exemptions: chosen, requestIn } = value ?? { exemptions: [], requestIn: 'authentication' as const }
  const choose = (names: readonly string[]) => {
    const exemptions = names.flatMap((name) => all.find((each) => each === name) ?? [])
    onValue(exemptions.length === 0 ? null : { exemptions, requestIn })
  }
  return (
    <>
      <Choices
        label={text('exemptions')}
        hint={text('exemptions.hint')}
        options={all.map((each) => ({ value: each, name: objects(`exemption.${each}`) }))}
        chosen={chosen}
        onChange={choose}
      />
      {chosen.length > 0 && (
        <Select
          label={text('requestIn')}
          value={requestIn}
          options={places.map((each) => ({ value: each, name: text(`requestIn.${each}`) }))}
          onValue={(place) =>
            onValue({ exemptions: chosen, requestIn: places.find((each) => each === place) ?? requestIn })
          }
        />
      )}
    </>
  )
}

const places = ['authentication', 'authorization'] as const
const all = [
  'trusted',
  'low_value',
  'low_risk',
  'recurring',
  'secure_corporate',
] as const satisfies readonly ExemptionPolicy['exemptions'][number][]
