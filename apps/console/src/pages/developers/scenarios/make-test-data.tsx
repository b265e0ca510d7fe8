import { names } from 'virtual:names'
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../../api/change.ts'
import { api, type OperationName } from '../../../api/client.ts'
import { useRead } from '../../../api/query.ts'
import { Dialog, Input, Select } from '../../../design/controls.tsx'
import { minorUnits } from '../../../language/values.ts'
import { Decision } from '../../../forms/decision.tsx'
import { text } from './text.ts'

/** Kinds of test data that can be created. */
export const testData = ['payment', 'dispute', 'subscription'] as const
export type TestData = (typeof testData)[number]

const paying: readonly OperationName[] = ['stores.list', 'paymentInstruments.createFromToken', 'payments.create']

/** The operations that make them. */
export const needsOf: Readonly<Record<TestData, readonly OperationName[]>> = {
  payment: paying,
  dispute: [...paying, 'disputes.simulate'],
  subscription: [...paying, 'products.create', 'products.get'],
}

interface Wanted {
  kind: TestData
  storeId: string
  token: string
  /** In minor units. */
  amount: number
  currency: string
}

interface MakeTestDataProps {
  kind: TestData
  onClose: () => void
}

/** Says what will be made, makes it, and shows it. */
export function MakeTestData({ kind, onClose }: MakeTestDataProps) {
  const { route } = useLocation()
  const { data } = useRead('stores.list', { limit: 100 })
  const stores = data?.data ?? []
  const [form, setForm] = useState({ storeId: '', token: 'tok_visa', amount: '49.00' })
  const set = (part: Partial<typeof form>) => setForm({ ...form, ...part })
  const store = stores.find(({ id }) => id === form.storeId) ?? stores[0]
  const currency = store?.baseCurrency ?? 'USD'
  const amount = minorUnits(form.amount, currency)
  const change = useChange(
    async (wanted: Wanted, { idempotencyKey }) => route(`/console${await made(wanted, idempotencyKey)}`),
    ['payments.', 'orders.', 'customers.', 'disputes.', 'subscriptions.', 'products.'],
  )
  return (
    <Dialog title={text(`make.${kind}`)} onClose={onClose}>
      <p>{text(`effect.${kind}`)}</p>
      <Select
        label={text('store')}
        value={store?.id ?? ''}
        onValue={(storeId) => set({ storeId })}
        options={stores.map(({ id, name }) => ({ value: id, name }))}
      />
      {kind === 'payment' && (
        <Select
          label={text('outcome')}
          hint={effectOf(form.token)}
          value={form.token}
          onValue={(token) => set({ token })}
          options={names.testTokens.map(([value]) => ({ value, name: value }))}
        />
      )}
      <Input
        label={text('amount', { currency })}
        inputMode="decimal"
        value={form.amount}
        onValue={(typed) => set({ amount: typed })}
        wrong={amount === null || amount === 0 ? text('wrongAmount') : undefined}
      />
      <Decision
        kind="main"
        change={change}
        label={text(`make.${kind}`)}
        disabled={store === undefined || amount === null || amount === 0}
        onClose={onClose}
        run={() =>
          amount !== null &&
          store !== undefined &&
          change.run({ kind, storeId: store.id, token: form.token, amount, currency })
        }
      />
    </Dialog>
  )
}

function effectOf(token: string): string {
  return names.testTokens.find(([each]) => each === token)?.[1] ?? ''
}

/**
 * Makes it by the operations that a server would call, each under a key of its own.
 *
 * @returns Where the console shows it.
 */
async function made({ kind, storeId, token, amount, currency }: Wanted, key: string): Promise<string> {
  const step = (name: string) => ({ idempotencyKey: `${key}:${name}` })
  const lines = kind === 'subscription' ? [{ variantId: await newPlan({ storeId, amount, currency }, step) }] : null
  const { paymentInstrument } = await api.paymentInstruments.createFromToken(
    {
      serviceToken: kind === 'payment' ? token : 'tok_visa',
      storeId,
      customerData: { email: `test-${kind}@example.com` },
    },
    step('card'),
  )
  const whatFor = lines === null ? { amount } : { lines }
  const sent = { storeId, paymentInstrumentId: paymentInstrument.id, currency, ...whatFor }
  const payment = await api.payments.create(sent, step('payment'))
  if (kind === 'dispute') {
    const { id } = await api.disputes.simulate({ paymentId: payment.id }, step('dispute'))
    return `/disputes/${id}`
  }
  const [subscription] = payment.subscriptions
  return subscription === undefined ? `/payments/${payment.id}` : `/subscriptions/${subscription.subscriptionId}`
}

type Plan = Pick<Wanted, 'storeId' | 'amount' | 'currency'>

/** A product that is paid every month. */
async function newPlan(
  { storeId, amount, currency }: Plan,
  step: (name: string) => { idempotencyKey: string },
): Promise<string> {
  const price = { currencyOptions: { [currency]: { amount } }, recurring: true, interval: 'month' } as const
  const variants = [{ name: text('monthly'), default: true, prices: [price] }]
  const product = { storeId, name: text('testPlan'), isShippable: false, variants }
  const { productId } = await api.products.create(product, step('product'))
  const { variants: found } = await api.products.get({ productId })
  return found[0]?.id ?? ''
}
