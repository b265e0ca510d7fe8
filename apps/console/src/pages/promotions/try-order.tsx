import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Input, Select } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Failure } from '../../design/states.tsx'
import { StoreSelect } from '../../forms/fields.tsx'
import { minorUnits } from '../../language/values.ts'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import './promotions.css'
import { Outcome, type Quote } from './outcome.tsx'
import { text } from './text.ts'

interface TypedLine {
  variantId: string
  quantity: string
}

interface TypedOrder {
  storeId: string
  currency: string
  lines: readonly TypedLine[]
  codes: string
  shipping: string
}

/** Tries an order against the promotions: what applies, what does not, and why. */
export function TryOrder() {
  const { query } = useLocation()
  const [typed, setTyped] = useState<TypedOrder>({
    storeId: query['storeId'] ?? '',
    currency: '',
    lines: [{ variantId: '', quantity: '1' }],
    codes: query['code'] ?? '',
    shipping: '',
  })
  const [quote, setQuote] = useState<Quote | null>(null)
  const variants = useVariants(typed.storeId)
  const currencies = [...new Set(variants.flatMap((each) => each.currencies))]
  const currency = typed.currency || (currencies[0] ?? '')
  const order = readOrder({ ...typed, currency })
  const change = useChange(async (input: NonNullable<typeof order>) => setQuote(await api.orders.quote(input)), [])
  const set = (fields: Partial<TypedOrder>) => setTyped({ ...typed, ...fields })
  const price = (event: SubmitEvent) => {
    event.preventDefault()
    if (order !== null) void change.run(order)
  }
  return (
    <Page title={text('try')} note={text('try.hint')}>
      <div class="columns even">
        <Section title={text('try')}>
          <form class="form" onSubmit={price}>
            <StoreSelect value={typed.storeId} onValue={(storeId) => set({ storeId })} />
            <Lines lines={typed.lines} onLines={(lines) => set({ lines })} variants={variants} />
            <Terms typed={{ ...typed, currency }} set={set} currencies={currencies} />
            <Input
              label={text('codes')}
              hint={text('codesHint')}
              value={typed.codes}
              onValue={(codes) => set({ codes })}
            />
            {change.failure !== null && <Failure failure={change.failure} />}
            <div class="actions">
              <Button kind="main" type="submit" disabled={order === null} isBusy={change.isRunning}>
                {text('try.run')}
              </Button>
            </div>
          </form>
        </Section>
        <div class="stack">
          <Outcome quote={quote} />
          {order !== null && <ApiCall operation="orders.quote" input={order} />}
        </div>
      </div>
    </Page>
  )
}

interface TermsProps {
  typed: TypedOrder
  set: (fields: Partial<TypedOrder>) => void
  currencies: readonly string[]
}

function Terms({ typed, set, currencies }: TermsProps) {
  return (
    <div class="fields">
      <Select
        label={text('currency')}
        value={typed.currency}
        options={currencies.map((each) => ({ value: each, name: each }))}
        onValue={(currency) => set({ currency })}
      />
      <Input
        label={text('shippingAmount')}
        inputMode="decimal"
        value={typed.shipping}
        onValue={(shipping) => set({ shipping })}
      />
    </div>
  )
}

function readOrder({ storeId, currency, lines, codes, shipping }: TypedOrder) {
  const chosen = lines.filter(({ variantId }) => variantId !== '')
  const isWrong = chosen.some(({ quantity }) => !/^\s*[1-9]\d{0,3}\s*$/.test(quantity))
  const shippingAmount = shipping.trim() === '' || currency === '' ? 0 : minorUnits(shipping, currency)
  if (storeId === '' || currency === '' || chosen.length === 0 || isWrong || shippingAmount === null) return null
  return {
    storeId,
    currency,
    lines: chosen.map(({ variantId, quantity }) => ({ variantId, quantity: Number(quantity) })),
    promotionCodes: codes.split(/[\s,]+/).filter((code) => code !== ''),
    shippingAmount,
  }
}

interface OfferedVariant {
  id: string
  name: string
  currencies: readonly string[]
}

/** The variants of a store that are on sale, of its first hundred products. */
function useVariants(storeId: string): readonly OfferedVariant[] {
  const isAllowed = useMay()('products.list') && storeId !== ''
  const read = useRead('products.list', isAllowed ? { storeId, limit: 100 } : null)
  return (read.data?.data ?? []).flatMap(variantsOf)
}

function variantsOf({ name, variants, active }: ListEntry<'products.list'>): OfferedVariant[] {
  const offered = variants.filter((each) => active && each.active && !each.archived)
  return offered.map((variant) => ({
    id: variant.id,
    name: variants.length === 1 ? name : `${name}, ${variant.name}`,
    currencies: variant.prices.filter((each) => each.default).flatMap((each) => Object.keys(each.currencyOptions)),
  }))
}

interface LinesProps {
  lines: readonly TypedLine[]
  onLines: (lines: readonly TypedLine[]) => void
  variants: readonly OfferedVariant[]
}

function Lines({ lines, onLines, variants }: LinesProps) {
  const put = (at: number, change: Partial<TypedLine>) =>
    onLines(lines.map((each, index) => (index === at ? { ...each, ...change } : each)))
  return (
    <>
      {lines.map(({ variantId, quantity }, at) => (
        <div class="line" key={at}>
          <Select
            label={text('product')}
            value={variantId}
            options={[
              { value: '', name: text('chooseProduct') },
              ...variants.map(({ id, name }) => ({ value: id, name })),
            ]}
            onValue={(chosen) => put(at, { variantId: chosen })}
          />
          <Input
            label={text('quantity')}
            inputMode="numeric"
            value={quantity}
            onValue={(typed) => put(at, { quantity: typed })}
          />
          {lines.length > 1 && (
            <Button kind="plain" icon="close" onClick={() => onLines(lines.filter((_, index) => index !== at))}>
              <span class="hidden-text">{text('removeLine', { number: at + 1 })}</span>
            </Button>
          )}
        </div>
      ))}
      <div>
        <Button icon="plus" onClick={() => onLines([...lines, { variantId: '', quantity: '1' }])}>
          {text('addLine')}
        </Button>
      </div>
    </>
  )
}
