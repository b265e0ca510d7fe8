import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type CallOptions } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Dialog, Input } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { Amounts, Check, readAmounts, typedAmounts } from '../../forms/fields.tsx'
import { locale } from '../../language/language.ts'
import { decimal, minorUnits, money } from '../../language/values.ts'
import { Decision } from '../../forms/decision.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'

type Option = ResponseOf<Contract['shippingOptions']['list']>['shippingOptions'][number]
type NewOption = Omit<Option, 'id'> & { id?: string }

/** Shipping options of a store, in the order in which buyers see them. */
export function Shipping({ storeId }: { storeId: string }) {
  const maySet = useMay()('shippingOptions.set')
  const read = useRead('shippingOptions.list', { storeId })
  const [edited, setEdited] = useState<number | null>(null)
  const [removed, setRemoved] = useState<number | null>(null)
  return (
    <Section
      title={text('shipping')}
      actions={maySet && <Button onClick={() => setEdited(-1)}>{text('shipping.add')}</Button>}
    >
      <Loaded read={read}>
        {({ shippingOptions: options }) => (
          <>
            {options.length === 0 && <p class="hint">{text('shipping.none')}</p>}
            <ul class="options">
              {options.map((option, at) => (
                <li key={option.id}>
                  <OptionWords option={option} />
                  {maySet && (
                    <div class="what">
                      <Button kind="plain" onClick={() => setEdited(at)}>
                        {text('shipping.edit', { name: option.name })}
                      </Button>
                      <Button kind="plain" onClick={() => setRemoved(at)}>
                        {text('shipping.remove', { name: option.name })}
                      </Button>
                    </div>
                  )}
                </li>
              ))}
            </ul>
            {edited !== null && (
              <OptionDialog storeId={storeId} options={options} at={edited} onClose={() => setEdited(null)} />
            )}
            {removed !== null && (
              <RemoveDialog storeId={storeId} options={options} at={removed} onClose={() => setRemoved(null)} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const countryNames = new Intl.DisplayNames(locale, { type: 'region' })

function OptionWords({ option: { name, description, currencyOptions, countries } }: { option: Option }) {
  const prices = Object.entries(currencyOptions).map(([currency, { amount, freeFrom }]) => {
    const price = money(amount, currency)
    return freeFrom === null ? price : `${price}, ${text('freeAbove', { amount: money(freeFrom, currency) })}`
  })
  const places = countries.map((code) => countryNames.of(code) ?? code).join(', ')
  return (
    <>
      <div class="what">
        <strong>{name}</strong>
        <span>{prices.join(' · ')}</span>
      </div>
      <p class="hint">
        {description !== '' && `${description}; `}
        {places || text('everywhere')}
      </p>
    </>
  )
}

/** The API takes all options of a store at once. */
function useOptions(storeId: string, onClose: () => void) {
  return useChange(
    async (shippingOptions: readonly NewOption[], options: CallOptions) => {
      await api.shippingOptions.set({ storeId, shippingOptions: [...shippingOptions] }, options)
      onClose()
    },
    ['shippingOptions.'],
  )
}

interface OptionProps {
  storeId: string
  options: readonly Option[]
  /** The place of the option in the list; -1 for a new one. */
  at: number
  onClose: () => void
}

function RemoveDialog({ storeId, options, at, onClose }: OptionProps) {
  const change = useOptions(storeId, onClose)
  const title = text('shipping.remove', { name: options[at]?.name ?? '' })
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text('shipping.removeEffect')}</p>
      <Decision
        change={change}
        label={title}
        onClose={onClose}
        run={() => change.run(options.filter((_, index) => index !== at))}
      />
    </Dialog>
  )
}

function OptionDialog({ storeId, options, at, onClose }: OptionProps) {
  const option = options[at]
  const [typed, setTyped] = useState(() => typedOption(option))
  const change = useOptions(storeId, onClose)
  const read = readOption(typed)
  const set = (fields: Partial<typeof typed>) => setTyped({ ...typed, ...fields })
  const save = () => {
    if (read === null) return
    const next: NewOption = { ...(option !== undefined && { id: option.id }), ...read }
    const all = option === undefined ? [...options, next] : options.map((each, index) => (index === at ? next : each))
    void change.run(all)
  }
  const title = option === undefined ? text('shipping.add') : text('shipping.edit', { name: option.name })
  return (
    <Dialog title={title} onClose={onClose}>
      <Input label={text('name')} maxLength={255} required value={typed.name} onValue={(name) => set({ name })} />
      <Input
        label={text('description')}
        maxLength={5_000}
        value={typed.description}
        onValue={(description) => set({ description })}
      />
      <Amounts value={typed.amounts} onValue={(amounts) => set({ amounts })} />
      <div class="fields">
        {Object.keys(typed.amounts).map((currency) => (
          <Input
            key={currency}
            label={text('freeFrom', { currency })}
            inputMode="decimal"
            value={typed.freeFrom[currency] ?? ''}
            onValue={(value) => set({ freeFrom: { ...typed.freeFrom, [currency]: value } })}
          />
        ))}
      </div>
      <Input
        label={text('countries')}
        hint={text('countriesHint')}
        value={typed.countries}
        onValue={(countries) => set({ countries })}
      />
      <Check
        label={text('nextFree')}
        isChecked={typed.isFreeForNextOrders}
        onChange={(isFreeForNextOrders) => set({ isFreeForNextOrders })}
      />
      <Decision
        change={change}
        label={shared('save')}
        kind="main"
        disabled={read === null}
        onClose={onClose}
        run={save}
      />
    </Dialog>
  )
}

function typedOption(option: Option | undefined) {
  const prices = Object.entries(option?.currencyOptions ?? {})
  const freeFrom: Record<string, string> = Object.fromEntries(
    prices.map(([currency, price]) => [currency, price.freeFrom === null ? '' : decimal(price.freeFrom, currency)]),
  )
  return {
    name: option?.name ?? '',
    description: option?.description ?? '',
    amounts: option === undefined ? { USD: '' } : typedAmounts(option.currencyOptions),
    freeFrom,
    countries: option?.countries.join(' ') ?? '',
    isFreeForNextOrders: option?.isFreeForNextOrders ?? false,
  }
}

/** A typed option as the contract takes it; `null` while something in it is wrong. */
function readOption({ amounts, freeFrom, countries, ...same }: ReturnType<typeof typedOption>): NewOption | null {
  const read = readAmounts(amounts)
  if (read === null || same.name.trim() === '') return null
  const prices = Object.entries(read).map(([currency, { amount }]) => {
    const typed = freeFrom[currency]?.trim() ?? ''
    const above = typed === '' ? null : (minorUnits(typed, currency) ?? 'wrong')
    return [currency, { amount, freeFrom: above }] as const
  })
  const isRight = (each: (typeof prices)[number]): each is readonly [string, Option['currencyOptions'][string]] =>
    each[1].freeFrom !== 'wrong'
  if (!prices.every(isRight)) return null
  const codes = countries.toUpperCase().split(/[\s,]+/)
  return { ...same, currencyOptions: Object.fromEntries(prices), countries: codes.filter((code) => code !== '') }
}
