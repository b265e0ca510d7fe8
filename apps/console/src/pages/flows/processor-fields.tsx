import { Button, Input, Select } from '../../design/controls.tsx'
import { Icon } from '../../design/icon.tsx'
import { Check } from '../../forms/fields.tsx'
import { text } from './text.ts'
import { readWeight, type TypedProcessor } from './typed.ts'
import { type NamedProcessor, processorName } from './words.ts'

interface ProcessorFieldsProps {
  title: string
  value: readonly TypedProcessor[]
  onValue: (value: readonly TypedProcessor[]) => void
  processors: readonly NamedProcessor[]
  isWeighted: boolean
  /** How many have to stay. */
  least: number
}

/** A list of a flow's processors: their weights and order, which take part, and others to add. */
export function ProcessorFields(props: ProcessorFieldsProps) {
  const { title, value, onValue, processors, isWeighted, least } = props
  const others = processors.filter(({ id }) => !value.some(({ processorId }) => processorId === id))
  const add = (processorId: string) => {
    if (processorId === '') return
    onValue([...value, { processorId, weight: '1', disabled: false, nonStickable: false }])
  }
  return (
    <fieldset class="processors">
      <legend>{title}</legend>
      <ol>
        {value.map((each, at) => (
          <Row
            key={each.processorId}
            name={processorName(processors, each.processorId)}
            value={each}
            at={at}
            isLast={at === value.length - 1}
            isWeighted={isWeighted}
            isNeeded={value.length <= least}
            put={(change) => onValue(value.map((other, index) => (index === at ? { ...other, ...change } : other)))}
            move={(to) => onValue(moved(value, at, to))}
            remove={() => onValue(value.filter((_, index) => index !== at))}
          />
        ))}
      </ol>
      {others.length > 0 && (
        <Select
          label={text('add')}
          value=""
          options={[{ value: '', name: text('choose') }, ...others.map(({ id, name }) => ({ value: id, name }))]}
          onValue={add}
        />
      )}
    </fieldset>
  )
}

interface RowProps {
  name: string
  value: TypedProcessor
  at: number
  isLast: boolean
  isWeighted: boolean
  /** Whether the list would be too short without it. */
  isNeeded: boolean
  put: (change: Partial<TypedProcessor>) => void
  move: (to: number) => void
  remove: () => void
}

function Row({ name, value: { disabled, weight }, at, isLast, isWeighted, isNeeded, put, move, remove }: RowProps) {
  return (
    <li>
      <Check label={name} isChecked={!disabled} onChange={(isChecked) => put({ disabled: !isChecked })} />
      {isWeighted && (
        <Input
          label={text('weight', { name })}
          inputMode="decimal"
          wrong={readWeight(weight) === null ? text('wrongWeight') : undefined}
          value={weight}
          onValue={(typed) => put({ weight: typed })}
        />
      )}
      <div class="moves">
        <Move label={text('up', { name })} isUp isEnd={at === 0} onMove={() => move(at - 1)} />
        <Move label={text('down', { name })} isEnd={isLast} onMove={() => move(at + 1)} />
        <Button kind="plain" icon="close" disabled={isNeeded} onClick={remove}>
          <span class="hidden-text">{text('remove', { name })}</span>
        </Button>
      </div>
    </li>
  )
}

function Move({ label, isUp, isEnd, onMove }: { label: string; isUp?: true; isEnd: boolean; onMove: () => void }) {
  return (
    <Button kind="plain" disabled={isEnd} onClick={onMove}>
      <span class={isUp === true ? 'upwards' : ''}>
        <Icon name="down" />
      </span>
      <span class="hidden-text">{label}</span>
    </Button>
  )
}

function moved<Entry>(list: readonly Entry[], from: number, to: number): Entry[] {
  const rest = list.filter((_, index) => index !== from)
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)]
}
