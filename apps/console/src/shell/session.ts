import type { Contract, ResponseOf } from '@tillwright/contract'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { OperationName } from '../api/client.ts'

/** The member who is signed in, with what the role allows. */
export type SignedIn = ResponseOf<Contract['me']['get']>

/** The member of the page. */
export const Session = createContext<SignedIn | null>(null)

/** The member who is signed in. */
export function useSession(): SignedIn {
  const session = useContext(Session)
  if (session === null) throw new Error('Nobody is signed in.')
  return session
}

/** Whether the member may call an operation. What may not be done is not offered. */
export function useMay(): (operation: OperationName) => boolean {
  const { operations } = useSession()
  return (operation) => operations.includes(operation)
}

/**
 * The store that a member of some stores works in: the one that was chosen in this browser, else the first; `null` for a
 * member of all stores.
 */
export function storeOf({ member: { id, storeIds } }: SignedIn): string | null {
  if (storeIds === null) return null
  const chosen = localStorage.getItem(`tillwright.store.${id}`)
  return storeIds.find((storeId) => storeId === chosen) ?? storeIds[0] ?? null
}

/** Goes on in another store of the member, with nothing left of what was read of the former. */
export function chooseStore({ member: { id } }: SignedIn, storeId: string): void {
  localStorage.setItem(`tillwright.store.${id}`, storeId)
  location.assign('/console')
}

/** Leads to the sign-in, and back here afterwards. */
export function goToSignIn(): void {
  const here = location.pathname + location.search
  location.replace(`/console/sign-in?to=${encodeURIComponent(here)}`)
}

/** Where a sign-in leads: a page of the console, whatever else the address says. */
export function pageAfterSignIn(search: string): string {
  const to = new URLSearchParams(search).get('to') ?? ''
  return /^\/console(?:[/?]|$)/.test(to) && !to.startsWith('/console/sign-in') ? to : '/console'
}
