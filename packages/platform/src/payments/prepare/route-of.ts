import type { NewPayment, Order } from '@tillwright/contract'
import { payerOf, type PayingInstrument } from '../../customers/index.ts'
import type { OtherMethod } from '../../processors/index.ts'
import type { Route } from '../../routing/index.ts'

/** The card with the place of its security code, or the other method; and the buyer of a page. */
interface Charged {
  instrument: PayingInstrument
  codeId: string
  other: OtherMethod | null
  buyer: Order['buyer']
}

/** Facts that decide on the processors of a payment. A page's details of its buyer take precedence over the record. */
export function routeOf(
  body: NewPayment,
  { instrument, codeId, other, buyer }: Charged,
  known: Pick<Route, 'accountId' | 'flow' | 'lastSuccess' | 'isPreview'>,
): Route {
  const payer = { ...(buyer === null ? instrument.payer : payerOf(buyer)), ip: body.buyerIp ?? null }
  return {
    ...known,
    currency: body.currency,
    card: { ...instrument, codeId },
    method:
      other === null
        ? { type: 'card', kind: instrument.kind }
        : { type: other.method, country: payer.billingAddress?.country ?? null },
    buyer: payer,
    initiatedBy: body.initiatedBy,
  }
}
