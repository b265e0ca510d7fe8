import {
  createElement,
  type ForwardedRef,
  forwardRef,
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react'
import { type CardBrand, type CardChange, type CardElement, type CardOptions, CheckoutError } from '../index.ts'
import { useCheckoutState } from './checkout.ts'

/** Props of `<Card>`: options, which override the provider's, and callbacks, which may change at every render. */
export interface CardProps extends CardOptions {
  /** The form can be used. */
  onReady?: () => void
  onChange?: (state: CardChange) => void
  /** The number turned out to be of another network or of others, or the buyer chose one. */
  onBrand?: (brand: CardBrand) => void
  /** The form as a whole gained the keyboard. */
  onFocus?: () => void
  /** The form as a whole lost the keyboard. */
  onBlur?: () => void
  /** The buyer pressed Enter: do what the page's own pay button does. */
  onSubmit?: () => void
  /** The form did not load; `retry()` of the ref tries again. */
  onLoadError?: (error: CheckoutError) => void
  /** The form went away after it was ready; `retry()` of the ref brings an empty one. */
  onError?: (error: CheckoutError) => void
}

/** The handle of a ref to `<Card>`. */
export type CardHandle = Pick<CardElement, 'tokenize' | 'focus' | 'clear' | 'retry'>

/**
 * A card form in a `<div>` of its own: mounted when the component is, closed when it goes. Options that change are
 * applied and leave what was typed. Wrong options reach the nearest error boundary.
 */
// Up to React 18 only forwardRef passes a ref on.
export const Card = forwardRef(function Card(props: CardProps, ref: ForwardedRef<CardHandle>): ReactNode {
  const { checkout, options } = useCheckoutState()
  const place = useRef<HTMLDivElement>(null)
  const card = useRef<CardElement>(null)
  const latest = useRef(props)
  const {
    appearance = options.appearance ?? {},
    locale = options.locale,
    networks = options.networks ?? {},
    name = options.name ?? false,
    savedCards = options.savedCards ?? [],
  } = props
  const said = { appearance, networks, name, savedCards }

  useEffect(() => {
    latest.current = props
  })
  // Before the form is mounted, so that it is not configured twice. Compared as text: options are often written in place.
  useEffect(() => card.current?.update({ ...said, locale: locale ?? pageLocale() }), [JSON.stringify(said), locale])
  useEffect(() => {
    if (!checkout || !place.current) return
    const mounted = checkout.card({ ...said, locale: locale ?? pageLocale() })
    forwardEvents(mounted, latest)
    card.current = mounted.mount(place.current)
    return () => {
      card.current = null
      mounted.destroy()
    }
  }, [checkout])
  useImperativeHandle(ref, () => handleOf(card), [])
  return createElement('div', { ref: place })
})

function forwardEvents(card: CardElement, latest: RefObject<CardProps>): void {
  card.on('ready', () => latest.current.onReady?.())
  card.on('change', (state) => latest.current.onChange?.(state))
  card.on('brand', (brand) => latest.current.onBrand?.(brand))
  card.on('focus', () => latest.current.onFocus?.())
  card.on('blur', () => latest.current.onBlur?.())
  card.on('submit', () => latest.current.onSubmit?.())
  card.on('loaderror', (error) => latest.current.onLoadError?.(error))
  card.on('error', (error) => latest.current.onError?.(error))
}

function handleOf(card: RefObject<CardElement | null>): CardHandle {
  return {
    tokenize: async () => {
      if (card.current) return card.current.tokenize()
      throw new CheckoutError('not_mounted', 'The card form is not in the page; wait for onReady.')
    },
    focus: () => card.current?.focus(),
    clear: () => card.current?.clear(),
    retry: () => card.current?.retry(),
  }
}

/** The default of init(), for a locale that is removed. */
function pageLocale(): string {
  return document.documentElement.lang || 'en'
}
