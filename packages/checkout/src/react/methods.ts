import {
  createElement,
  type ForwardedRef,
  forwardRef,
  type ReactNode,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react'
import {
  CheckoutError,
  type MethodsChange,
  type MethodsChoice,
  type MethodsOptions,
  type PaymentMethods as Shown,
} from '../index.ts'
import { warnShop } from '../page/warn-shop.ts'
import { useCheckout } from './index.ts'

/** Props of `<PaymentMethods>`: callbacks, the sum and the country may change at every render. */
export interface PaymentMethodsProps extends MethodsOptions {
  /** The methods are in the page. */
  onReady?: ((shown: Shown['shown']) => void) | undefined
  /** Told besides what kept the methods from being shown. */
  onError?: ((error: CheckoutError) => void) | undefined
}

/** The handle of a ref to `<PaymentMethods>`. */
export interface PaymentMethodsHandle {
  /** Returns the buyer's choice of method; see `PaymentMethods.choice()` of the checkout. */
  choice(): Promise<MethodsChoice>
}

/** All payment methods of the buyer, in a `<div>`. A change of any option but the sum renders them anew. */
// Up to React 18 only forwardRef passes a ref on.
export const PaymentMethods = forwardRef(function PaymentMethods(
  props: PaymentMethodsProps,
  ref: ForwardedRef<PaymentMethodsHandle>,
): ReactNode {
  const checkout = useCheckout()
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef<Shown>(null)
  const latest = useRef(props)
  const { amount, currency, country, storeId, apiUrl, card } = props

  useEffect(() => {
    latest.current = props
  })
  const onError = (error: CheckoutError): void => latest.current.onError?.(error)
  const refuse = (error: CheckoutError): void => {
    warnShop(String(error))
    onError(error)
  }
  useEffect(() => {
    shown.current?.update({ amount, currency, country }).catch(refuse)
  }, [amount, currency, country])
  useEffect(() => {
    if (!checkout || !place.current) return
    let isCurrent = true
    const asked = { amount, currency, country }
    const onChange = (state: MethodsChange) => latest.current.onChange?.(state)
    checkout.methods(place.current, { ...asked, storeId, apiUrl, card, onChange, onError }).then(
      (methods) => {
        if (!isCurrent) return methods.destroy()
        shown.current = methods
        latest.current.onReady?.(methods.shown)
        const { amount: now, currency: nowIn, country: nowAt } = latest.current
        const isSame = now === asked.amount && nowIn === asked.currency && nowAt === asked.country
        if (!isSame) methods.update({ amount: now, currency: nowIn, country: nowAt }).catch(refuse)
      },
      (error: CheckoutError) => isCurrent && refuse(error),
    )
    return () => {
      isCurrent = false
      shown.current?.destroy()
      shown.current = null
    }
    // Compared as text: options are often written in place.
  }, [checkout, storeId, apiUrl, JSON.stringify(card)])
  useImperativeHandle(
    ref,
    () => ({
      choice: async () => {
        if (shown.current) return shown.current.choice()
        throw new CheckoutError('not_mounted', 'The methods are not in the page; wait for onReady.')
      },
    }),
    [],
  )
  return createElement('div', { ref: place })
})
