import type { Address, BuyerSession, SessionCustomer } from '../api/buyer-session.ts'
import type { OpenSession } from '../session/open-session.ts'
import { partOf, type Store } from '../store.ts'

/** Who the buyer is. */
export interface Contact {
  email: string
  firstName?: string | null
  lastName?: string | null
  phone?: string | null
}

/** Where the buyer lives and where the goods go: what is left out stays, `null` takes it away. */
export interface Addresses {
  billingAddress?: Address | null
  shippingAddress?: Address | null
}

/** The buyer, by what was said in this session. */
export interface CustomerStore extends Store<SessionCustomer | null> {
  /** Says who the buyer is; replaces all of it. */
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
