import { type Answer, accountsPersonalData } from '../accounts/index.ts'
import { auditPersonalData } from '../audit/index.ts'
import { customersPersonalData } from '../customers/index.ts'
import { eventsPersonalData } from '../events/index.ts'
import { funnelsPersonalData } from '../funnels/index.ts'
import { ledgerPersonalData } from '../ledger/index.ts'
import { listsPersonalData } from '../lists/index.ts'
import { ordersPersonalData } from '../orders/index.ts'
import type { PersonalTable } from '../storage/index.ts'
import { subscriptionsPersonalData } from '../subscriptions/index.ts'
import { threedsPersonalData } from '../threeds/index.ts'
import { vaultPersonalData } from '../vault/index.ts'

/**
 * Every table with personal data of customers, as its room declares it. Erasure, export and receipts are all made of
 * this; `impersonalTables` names all other tables.
 *
 * @param answer The answer that takes the place of a stored one that names an erased customer.
 */
export function personalTables(answer: Answer): readonly PersonalTable[] {
  return [
    ...customersPersonalData,
    ...vaultPersonalData,
    ...funnelsPersonalData,
    ...ordersPersonalData,
    ...ledgerPersonalData,
    ...subscriptionsPersonalData,
    ...threedsPersonalData,
    ...eventsPersonalData,
    ...listsPersonalData,
    ...auditPersonalData,
    ...accountsPersonalData(answer),
  ]
}
