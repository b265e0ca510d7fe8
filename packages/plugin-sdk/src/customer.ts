import type { Address, BuyerSession, SessionCustomer } from './api.ts'
import type { OpenSession } from './session/index.ts'
import { partOf, type Store } from './store.ts'

/** The buyer's contact details. */
export interface Contact {
  email: string
  firstName?: string | null
  lastName?: string | null
  phone?: string | null
}

/** The buyer's addresses: one left out is unchanged, `null` removes it. */
export interface Addresses {
  billingAddress?: Address | null
  shippingAddress?: Address | null
}

/** The buyer, as entered in this session. */
export interface CustomerStore extends Store<SessionCustomer | null> {
  /** Sets the contact details, replacing all of them. */
  setContact(contact: Contact): Promise<BuyerSession>
  setAddress(addresses: Addresses): Promise<BuyerSession>
}

/** The buyer of a session. */
export function openCustomer(session: OpenSession): CustomerStore {
  return {
    ...partOf(session, ({ view }) => view?.customer ?? null),
    setContact: (body) => session.change('PUT /session/contact', () => body),
    setAddress: (body) => session.change('PUT /session/address', () => body),
  }
}
