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
 * Whose events the member follows: `undefined` for those of the whole account, a store's for a member of that store alone, and
 * `null` for none: of several stores each would be a stream of its own.
 */
export function followedStore({ member: { storeIds } }: SignedIn): string | null | undefined {
  if (storeIds === null) return undefined
  const [only = null, another] = storeIds
  return another === undefined ? only : null
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
