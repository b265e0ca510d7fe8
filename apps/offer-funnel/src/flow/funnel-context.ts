import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useStore } from '@tillwright/plugin-sdk/preact'
import type { Texts } from '../texts/en.ts'
import type { Funnel } from './open-funnel.ts'

/** The funnel of the application. */
export const FunnelContext = createContext<Funnel | null>(null)

/** @throws {Error} Outside of the application. */
export function useFunnel(): Funnel {
  const funnel = useContext(FunnelContext)
  if (funnel === null) throw new Error('This component stands outside of the application.')
  return funnel
}

/** The funnel's own texts, in the language of the page. */
export function useTexts(): Texts {
  return useStore(useFunnel().texts)
}
