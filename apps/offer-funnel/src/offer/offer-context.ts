import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Offer } from './open-offer.ts'

/** The offer of the application. */
export const OfferContext = createContext<Offer | null>(null)

/** @throws {Error} Outside of the application. */
export function useOffer(): Offer {
  const offer = useContext(OfferContext)
  if (offer === null) throw new Error('This component stands outside of the application.')
  return offer
}
