import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Dialog, Input, Select } from '../../design/controls.tsx'
import { Decision } from '../../forms/decision.tsx'
import { exactTime } from '../../language/values.ts'
import { useMay } from '../../shell/session.ts'
import { affected, priceOf, type SubscriptionDetails } from './price.ts'
import { text } from './text.ts'

interface ChangeItemProps {
  subscription: SubscriptionDetails
  onClose: () => void
}

/** Has a subscription go on with another price or quantity from its next period. */
export function ChangeItemDialog({ subscription, onClose }: ChangeItemProps) {
  const { id: subscriptionId, billingTiming, currentPeriodEnd, pendingChange } = subscription
  const planned = pendingChange ?? subscription
  const [priceId, setPriceId] = useState(planned.priceId)
  const [quantity, setQuantity] = useState(String(planned.quantity))
  const items = useItems(subscription)
  const chosen = items.find((item) => item.priceId === priceId)
  const isRead = /^\s*[1-9]\d{0,4}\s*$/.test(quantity)
  const change = useChange(async (update: { priceId: string; quantity: number }, options) => {
    await api.subscriptions.update({ subscriptionId, ...update }, options)
    onClose()
  }, affected)
  const isPresent = priceId === subscription.priceId && Number(quantity) === subscription.quantity
  const isPlanned = priceId === planned.priceId && Number(quantity) === planned.quantity
  const price = priceOf({ ...subscription, unitAmount: chosen?.unitAmount ?? 0, quantity: Number(quantity) })
  return (
    <Dialog title={text('item.action')} onClose={onClose}>
      <Select
        label={text('price')}
        hint={text('item.fits')}
        value={priceId}
        onValue={setPriceId}
        options={items.map((item) => ({ value: item.priceId, name: `${item.name} · ${item.price}` }))}
      />
      {billingTiming !== 'usage' && (
        <Input
          label={text('quantity')}
          inputMode="numeric"
          value={quantity}
          wrong={isRead ? undefined : text('item.wrongQuantity')}
          onValue={setQuantity}
        />
      )}
      {isRead && chosen !== undefined && (
        <p>{text(isPresent ? 'item.stays' : 'item.effect', { at: exactTime(currentPeriodEnd), price })}</p>
      )}
      <Decision
        change={change}
        kind="main"
        label={text('item.save')}
        disabled={!isRead || chosen === undefined || isPlanned}
        onClose={onClose}
        run={() => change.run({ priceId, quantity: Number(quantity) })}
      />
    </Dialog>
  )
}

interface Item {
  priceId: string
  name: string
  unitAmount: number
  /** For one unit: `$15.00 a month`. */
  price: string
}

/**
 * What the subscription has, what it is to have, and the prices of its store's first hundred products that it can go on with. In
 * this order also once the products are read, so that nothing moves under a reader who chooses.
 */
function useItems(subscription: SubscriptionDetails): readonly Item[] {
  const { storeId, pendingChange } = subscription
  const isAllowed = useMay()('products.list')
  const read = useRead('products.list', isAllowed ? { storeId, limit: 100 } : null)
  const own = [subscription, ...(pendingChange === null ? [] : [pendingChange])]
  const others = (read.data?.data ?? []).flatMap((product) => itemsOf(product, subscription))
  const known = [...own, ...others].map(({ priceId, name, unitAmount }) => ({ priceId, name, unitAmount }))
  return known
    .filter(({ priceId }, at) => known.findIndex((item) => item.priceId === priceId) === at)
    .map((item) => ({ ...item, price: priceOf({ ...subscription, unitAmount: item.unitAmount, quantity: 1 }) }))
}

function itemsOf(
  { name, variants, active, archived }: ListEntry<'products.list'>,
  subscription: SubscriptionDetails,
): Omit<Item, 'price'>[] {
  if (!active || archived) return []
  return variants
    .filter((variant) => variant.active && !variant.archived)
    .flatMap((variant) => {
      const fitting = variant.prices.filter((price) => fits(price, subscription))
      const shown = variants.length === 1 ? name : `${name}, ${variant.name}`
      return fitting.map(({ id: priceId, currencyOptions }) => {
        return { priceId, name: shown, unitAmount: currencyOptions[subscription.currency]?.amount ?? 0 }
      })
    })
}

type Price = ResponseOf<Contract['products']['get']>['variants'][number]['prices'][number]

/** Whether a price is paid as the subscription is. */
function fits(price: Price, { currency, interval, intervalCount, billingTiming }: SubscriptionDetails): boolean {
  const isSame =
    price.interval === interval && price.intervalCount === intervalCount && price.billingTiming === billingTiming
  return price.recurring && isSame && !price.archived && price.currencyOptions[currency] !== undefined
}
