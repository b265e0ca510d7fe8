import { useEffect, useState } from 'preact/hooks'
import type { Page, SessionCard, SessionOrder } from '@tillwright/plugin-sdk'
import { usePage } from '@tillwright/plugin-sdk/preact'
import { useSettings } from '../settings/use-settings.ts'
import { addOnLine, isFor, knownVariant } from './bundle-lines.ts'

type Settings = Pick<Tillwright.Config, 'product' | 'upsell'>

/** The product that one click buys, and the card that pays. `passed`: bought already, or not to be had, so that what follows is next. */
export type Offered =
  | { status: 'waiting'; order: null; card: null }
  | { status: 'offered'; order: SessionOrder; card: SessionCard }
  | { status: 'passed'; order: null; card: null }

const waiting: Offered = { status: 'waiting', order: null, card: null }
const passed: Offered = { status: 'passed', order: null, card: null }

/** Makes what is offered the next order of the session, so that the platform says what it costs. */
export function useAddOn(addOn: Tillwright.Config['upsell']): Offered {
  const page = usePage()
  const { product } = useSettings()
  const [offered, setOffered] = useState(waiting)
  useEffect(() => {
    offerIt({ product, upsell: addOn }, page).then(setOffered, () => setOffered(passed))
  }, [])
  return offered
}

async function offerIt({ product, upsell }: Settings, page: Page): Promise<Offered> {
  const resumed = await page.pay.resume() // the page was loaded again while the bank was asked
  if (resumed?.outcome === 'pending') return passed
  const { step, order, paymentInstruments } = await page.session.refresh()
  const receipts = page.receipts.get()
  const bought = knownVariant([...receipts.map((receipt) => receipt.order), order])
  const line = addOnLine(upsell, page.isPreview ? product.variantId || bought : null)
  const card = paymentInstruments.at(-1)
  const isTaken = receipts.some(({ stepId }) => stepId === step?.id)
  if (isTaken || line === null || card === undefined) return passed
  const isThere = order.status === 'open' && isFor(order, line)
  const next = isThere ? order : (await page.order.setLines([line])).order
  const canBeHad = next.problem === null && next.shipping?.optionId !== null
  return canBeHad ? { status: 'offered', order: next, card } : passed
}
