import { createElement, type ReactNode, useEffect, useRef } from 'react'
import type { CheckoutError, Wallets as Shown, WalletName, WalletPayment, WalletsOptions } from '../index.ts'
import { warnShop } from '../page/warn-shop.ts'
import { useCheckout } from './index.ts'

/** Props of `<Wallets>`: callbacks and the amount may change at every render. */
export interface WalletsProps extends Omit<WalletsOptions, 'onPay' | 'onError' | 'onStart'> {
  /** Takes the approved payment; the sheet shows that it failed where the promise is rejected. */
  onPay: (paid: WalletPayment) => Promise<unknown>
  /** Called in the click: `false` keeps the sheet closed. */
  onStart?: () => boolean
  /** Told what kept a wallet from making a token, or the buttons from being shown. */
  onError?: (error: CheckoutError) => void
  /** The buttons that there are, which may be none. */
  onReady?: (shown: readonly WalletName[]) => void
}

/** The buttons of Apple Pay and Google Pay in a `<div>` of their own, which is empty where there are none. */
export function Wallets(props: WalletsProps): ReactNode {
  const checkout = useCheckout()
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef<Shown>(null)
  const latest = useRef(props)
  const { amount, currency, country, label, theme, locale } = props

  useEffect(() => {
    latest.current = props
  })
  useEffect(() => shown.current?.update({ amount, currency }), [amount, currency])
  useEffect(() => {
    if (!checkout || !place.current) return
    let isCurrent = true
    const options = {
      amount,
      currency,
      country,
      label,
      theme,
      locale,
      onPay: (paid: WalletPayment) => latest.current.onPay(paid),
      onStart: () => latest.current.onStart?.() ?? true,
      onError: (error: CheckoutError) => latest.current.onError?.(error),
    }
    checkout.wallets(place.current, options).then(
      (wallets) => {
        if (!isCurrent) return wallets.remove()
        const { amount: now, currency: nowIn } = latest.current
        wallets.update({ amount: now, currency: nowIn })
        shown.current = wallets
        latest.current.onReady?.(wallets.shown)
      },
      (error: CheckoutError) => {
        if (!isCurrent) return
        warnShop(String(error))
        options.onError(error)
      },
    )
    return () => {
      isCurrent = false
      shown.current?.remove()
      shown.current = null
    }
  }, [checkout, country, label, theme, locale])
  return createElement('div', { ref: place })
}
