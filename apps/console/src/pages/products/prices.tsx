import type { Contract, ResponseOf } from '@tillwright/contract'
import { Input, Select } from '../../design/controls.tsx'
import { Amounts, readAmounts, typedAmounts, type TypedAmounts } from '../../forms/fields.tsx'
import type { Described } from '../../forms/save.tsx'
import { locale } from '../../language/language.ts'
import { money } from '../../language/values.ts'
import { text } from './text.ts'

/** A product as the API answers it. */
export type ProductDetails = ResponseOf<Contract['products']['get']>
export type VariantDetails = ProductDetails['variants'][number]
export type PriceDetails = VariantDetails['prices'][number]

/** The amounts of a price: `$19.99 · €18.00`. */
export function amountsOf({ currencyOptions }: Pick<PriceDetails, 'currencyOptions'>): string {
  return Object.entries(currencyOptions)
    .map(([currency, { amount }]) => money(amount, currency))
    .join(' · ')
}

/** When a price is charged: `Once`, `Every 3 months, after each period`. */
export function periodOf({ interval, intervalCount, billingTiming }: PriceDetails): string {
  if (interval === null) return text('oneTime')
  const period =
    intervalCount === 1 ? text(`every.${interval}`) : text('every', { period: span(intervalCount, interval) })
  return billingTiming === 'in_advance' ? period : `${period}, ${text(`timing.${billingTiming}`)}`
}

/** A length of time in the reader's words. */
export function span(count: number, unit: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** The price that a variant has unless another one is named. */
export function defaultPrice({ variants }: ProductDetails): PriceDetails | undefined {
  const variant = variants.find((each) => each.default)
  return variant?.prices.find((each) => each.default)
}

/** A product in words, to compare two versions of it. */
export function describeProduct(product: ProductDetails): Described {
  return [
    [text('name'), product.name],
    [text('description'), product.description ?? ''],
    [text('status'), text(product.active ? 'onSale' : 'notOnSale')],
    [text('isShippable'), product.isShippable ? '✓' : ''],
    [text('isTaxable'), product.isTaxable ? '✓' : ''],
    [text('taxCategory'), product.taxCategory ?? ''],
    [text('accountingCode'), product.accountingCode ?? ''],
    [text('unitLabel'), product.unitLabel ?? ''],
    ...product.variants.filter(({ archived }) => !archived).map(describeVariant),
  ]
}

function describeVariant({ name, sku, grams, imageUrl, description, active, prices }: VariantDetails) {
  const sold = prices.filter((each) => !each.archived).map(amountsOf)
  const facts = [description, sku, grams > 0 && `${grams} g`, imageUrl, !active && text('notOnSale')]
  return [name, [...facts, ...sold].filter(Boolean).join('; ')] as const
}

const intervals = ['day', 'week', 'month', 'year'] as const
type Interval = (typeof intervals)[number]
const timings = ['in_advance', 'in_arrears', 'usage'] as const

/** A price as it is typed. */
interface TypedPrice {
  amounts: TypedAmounts
  interval: Interval | ''
  intervalCount: string
  trialDays: string
  billingTiming: PriceDetails['billingTiming']
}

/** A form for the terms of a price that a variant can have. */
export function PriceFields({ value, onValue }: { value: TypedPrice; onValue: (value: TypedPrice) => void }) {
  return (
    <>
      <Amounts value={value.amounts} onValue={(amounts) => onValue({ ...value, amounts })} />
      <div class="fields">
        <Select
          label={text('period')}
          value={value.interval}
          options={[
            { value: '', name: text('oneTime') },
            ...intervals.map((each) => ({ value: each, name: text(`every.${each}`) })),
          ]}
          onValue={(chosen) => onValue({ ...value, interval: intervals.find((each) => each === chosen) ?? '' })}
        />
        {value.interval !== '' && (
          <>
            <Select
              label={text('billingTiming')}
              value={value.billingTiming}
              options={timings.map((each) => ({ value: each, name: text(`timing.${each}`) }))}
              onValue={(chosen) =>
                onValue({ ...value, billingTiming: timings.find((each) => each === chosen) ?? 'in_advance' })
              }
            />
            <Input
              label={text('intervalCount')}
              wrong={wrongNumber(value, 'intervalCount')}
              inputMode="numeric"
              value={value.intervalCount}
              onValue={(intervalCount) => onValue({ ...value, intervalCount })}
            />
            <Input
              label={text('trialDays')}
              wrong={wrongNumber(value, 'trialDays')}
              inputMode="numeric"
              value={value.trialDays}
              onValue={(trialDays) => onValue({ ...value, trialDays })}
            />
          </>
        )}
      </div>
    </>
  )
}

/** What the contract takes. */
const bounds = { intervalCount: { least: 1, most: 1_000 }, trialDays: { least: 0, most: 730 } } as const

/** What is wrong with a number of days or periods. */
function wrongNumber(typed: TypedPrice, name: keyof typeof bounds): string | undefined {
  const { least, most } = bounds[name]
  const number = /^\d{1,4}$/.test(typed[name].trim()) ? Number(typed[name]) : Number.NaN
  return number >= least && number <= most ? undefined : text('wrongNumber', { least, most })
}

/** A price of no amount yet, in the currencies and the period of another one. */
export function likePrice(price: PriceDetails | undefined): TypedPrice {
  const currencies = Object.keys(price?.currencyOptions ?? { USD: null })
  return {
    amounts: Object.fromEntries(currencies.map((currency) => [currency, ''])),
    interval: price?.interval ?? '',
    intervalCount: String(price?.intervalCount ?? 1),
    trialDays: String(price?.trialDays ?? 0),
    billingTiming: price?.billingTiming ?? 'in_advance',
  }
}

/** The terms of a price as a form has them. */
export function typedPrice(price: PriceDetails): TypedPrice {
  return { ...likePrice(price), amounts: typedAmounts(price.currencyOptions) }
}

/** A typed price as the contract takes it; `null` while it is none. */
export function readPrice(typed: TypedPrice) {
  const { amounts, interval, intervalCount, trialDays, billingTiming } = typed
  const currencyOptions = readAmounts(amounts)
  if (currencyOptions === null) return null
  if (interval === '') return { currencyOptions, recurring: false }
  if (wrongNumber(typed, 'intervalCount') ?? wrongNumber(typed, 'trialDays')) return null
  return {
    currencyOptions,
    recurring: true,
    billingTiming,
    interval,
    intervalCount: Number(intervalCount),
    trialDays: Number(trialDays),
  }
}
