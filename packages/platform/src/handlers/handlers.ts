import type { Contract } from '@tillwright/contract'
import { accounts } from '../accounts/accounts.ts'
import type { Handlers } from '../call.ts'
import { products } from '../catalog/products.ts'
import { stores } from '../catalog/stores.ts'
import { events } from '../events/events.ts'
import type { Charging } from '../payments/charge-card.ts'
import { orders } from '../payments/orders.ts'
import { paymentFlows } from '../payments/payment-flows.ts'
import { paymentInstruments } from '../payments/payment-instruments.ts'
import { payments } from '../payments/payments.ts'
import { promotions } from '../promotions/promotions.ts'
import { createToken } from '../vault/create-token.ts'
import type { JweKeys } from '../vault/jwe-keys.ts'

/** One handler for each operation of the contract: a missing one does not compile. */
export type AllHandlers = { [Group in keyof Contract]: Handlers<Contract[Group]> }

/** The handlers of the whole contract. */
export function allHandlers({ charging, jweKeys }: { charging: Charging; jweKeys: JweKeys }): AllHandlers {
  return {
    accounts,
    stores,
    products,
    promotions,
    paymentFlows,
    paymentInstruments,
    payments: payments(charging),
    orders,
    events,
    vault: { createToken: createToken({ jweKeys, cvcs: charging.cvcs }) },
  }
}
