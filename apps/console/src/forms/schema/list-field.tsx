import type { ComponentType } from 'preact'
import { Button, Field } from '../../design/controls.tsx'
import { Icon } from '../../design/icon.tsx'
import type { NamedFieldProps } from './field-props.ts'
import { appliedSchema, initialValue, kindOf, listIn, numberIn, objectIn, textIn } from './schema.ts'
import { text } from './text.ts'
import { uiWord } from './ui-schema.ts'

/** Items that are codes, of which many stand in one line. */
const codes = ['country', 'currency', 'locale']

interface ListFieldProps extends NamedFieldProps {
  /** Draws one of the items, which may be lists themselves. */
  Item: ComponentType<NamedFieldProps>
}

/** A list, whose items are added, moved and removed. Codes are typed in one line. */
export function ListField(props: ListFieldProps) {
  const { form, schema, value } = props
  const items = appliedSchema(schema['items'], undefined, form.root)
  const shown = listIn(value === undefined ? schema['default'] : value)
  const isOfCodes =
    kindOf(items) === 'text' &&
    (uiWord(props.ui, 'widget') === 'text' || codes.includes(String(items['format'])) || items['pattern'] !== undefined)
  return isOfCodes ? <Codes {...props} items={shown} /> : <Items {...props} items={shown} />
}

interface ItemsProps extends ListFieldProps {
  items: readonly unknown[]
}

function Codes({ form, place, label, hint, items, onValue }: ItemsProps) {
  const words = [hint, text('separated')].filter((each) => each !== undefined).join(' ')
  const read = (typed: string) =>
    onValue(typed.split(/[\s,]+/).filter((each, index, all) => each !== '' || index === all.length - 1))
  const done = () => onValue(items.filter((each) => each !== ''))
  return (
    <Field label={label} hint={words} wrong={wrongIn(form.wrong, place)}>
      {(tied) => (
        <input
          {...tied}
          class="input"
          autocomplete="off"
          spellcheck={false}
          value={items.map(String).join(' ')}
          onInput={({ currentTarget }) => read(currentTarget.value)}
          onBlur={() => items.includes('') && done()}
        />
      )}
    </Field>
  )
}

/** Error message of a list, or of the first of its items that has one. */
function wrongIn(wrong: ReadonlyMap<string, string>, place: string): string | undefined {
  return wrong.get(place) ?? [...wrong].find(([at]) => at.startsWith(`${place}[`))?.[1]
}

function Items(props: ItemsProps) {
  const { form, place, schema, ui, label, hint, items, onValue } = props
  const may = (word: string) => uiWord(ui, word) !== false
  const isFull = items.length >= (numberIn(schema['maxItems']) ?? Infinity)
  const isLeast = items.length <= (numberIn(schema['minItems']) ?? 0)
  const added = appliedSchema(schema['items'], undefined, form.root)
  const wrong = form.wrong.get(place)
  const move = (from: number, to: number) => onValue(items.toSpliced(from, 1).toSpliced(to, 0, items[from]))
  return (
    <fieldset class="nested list">
      <legend>{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {wrong !== undefined && <p class="wrong">{wrong}</p>}
      {items.map((item, index) => (
        // Items have no name but their place.
        <div class="item" key={index}>
          <ListItem {...props} item={item} index={index} />
          <div class="moves">
            {may('orderable') && (
              <>
                <Move
                  name={text('up', { item: index + 1 })}
                  isUp
                  disabled={index === 0}
                  onMove={() => move(index, index - 1)}
                />
                <Move
                  name={text('down', { item: index + 1 })}
                  disabled={index === items.length - 1}
                  onMove={() => move(index, index + 1)}
                />
              </>
            )}
            {may('removable') && !isLeast && (
              <Button kind="plain" icon="close" onClick={() => onValue(items.toSpliced(index, 1))}>
                <span class="hidden-text">{text('remove', { item: index + 1 })}</span>
              </Button>
            )}
          </div>
        </div>
      ))}
      {may('addable') && !isFull && (
        <Button icon="plus" onClick={() => onValue([...items, initialValue(added)])}>
          {text('add')}
          <span class="hidden-text">: {label}</span>
        </Button>
      )}
    </fieldset>
  )
}

function ListItem({ item, index, Item, ...props }: ItemsProps & { item: unknown; index: number }) {
  const { form, place, depth, schema, ui, items, onValue } = props
  const own = appliedSchema(schema['items'], item, form.root)
  const label = `${textIn(own['title']) ?? text('item')} ${index + 1}`
  return (
    <Item
      form={form}
      place={`${place}[${index}]`}
      depth={depth + 1}
      schema={own}
      ui={objectIn(objectIn(ui)['items'])}
      label={label}
      value={item}
      onValue={(next) => onValue(items.with(index, next))}
    />
  )
}

interface MoveProps {
  name: string
  isUp?: true
  disabled: boolean
  onMove: () => void
}

function Move({ name, isUp, disabled, onMove }: MoveProps) {
  return (
    <Button kind="plain" disabled={disabled} onClick={onMove}>
      <span class={isUp === true ? 'upwards' : ''}>
        <Icon name="down" />
      </span>
      <span class="hidden-text">{name}</span>
    </Button>
  )
}
