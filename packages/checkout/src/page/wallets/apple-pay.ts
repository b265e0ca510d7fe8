import { inMajorUnits } from '@tillwright/contract/decimals'
import type { ButtonPlace, WalletButton } from './options.ts'
import { askVault, payWith } from './vault.ts'

/** The part of Apple's session that is used. Source: Apple Pay on the Web, "ApplePaySession". */
interface Session {
  onvalidatemerchant: (event: { validationURL: string }) => void
  onpaymentauthorized: (event: { payment: { token: { paymentData: unknown } } }) => void
  completeMerchantValidation(session: unknown): void
  completePayment(result: { status: number }): void
  begin(): void
  abort(): void
}

declare global {
  interface Window {
    ApplePaySession?: { new (version: number, request: object): Session; canMakePayments(): boolean }
  }
}

/** The newest version that all devices with Apple Pay on the web have that still get updates. */
const VERSION = 3
const SUCCESS = 0
const FAILURE = 1

/** Apple's button, or `null` where the device or the account has no Apple Pay. */
export function applePayButton({ options, core, found }: ButtonPlace): WalletButton | null {
  const Session = window.ApplePaySession
  if (!found.applePay || !Session?.canMakePayments()) return null
  const { merchantName } = found.applePay
  const { session: sent } = found
  const element = document.createElement('button')
  element.type = 'button'
  element.lang = options.locale
  element.setAttribute('aria-label', 'Apple Pay')
  const isWhite = options.theme === 'white'
  // Apple draws its own button where it can; elsewhere it is one of the same size with the wallet's name.
  if (CSS.supports('-webkit-appearance', '-apple-pay-button')) {
    element.style.cssText = `-webkit-appearance:-apple-pay-button;-apple-pay-button-type:plain;-apple-pay-button-style:${isWhite ? 'white-outline' : 'black'};height:48px;width:100%`
  } else {
    element.textContent = 'Apple Pay'
    element.style.cssText = `height:48px;border:1px solid #000;border-radius:6px;cursor:pointer;font:500 19px system-ui;${isWhite ? 'background:#fff;color:#000' : 'background:#000;color:#fff'}`
  }
  // The sheet opens in the click itself: later the browser would take it for a page's own idea.
  element.onclick = () => {
    if (!options.onStart()) return
    const session = new Session(VERSION, {
      countryCode: options.country,
      currencyCode: options.currency,
      merchantCapabilities: ['supports3DS'],
      supportedNetworks: ['visa', 'masterCard', 'amex', 'discover', 'jcb', 'maestro'],
      total: { label: options.label ?? merchantName, amount: inMajorUnits(options.amount, options.currency) },
    })
    const fail = (error: unknown, end: () => void): void => {
      end()
      if (error instanceof core.CheckoutError) options.onError(error)
    }
    session.onvalidatemerchant = ({ validationURL: validationUrl }) => {
      askVault('apple-pay-sessions', { session: sent, validationUrl }, core).then(
        ({ merchantSession }) => session.completeMerchantValidation(JSON.parse(merchantSession)),
        (error: unknown) => fail(error, () => session.abort()),
      )
    }
    session.onpaymentauthorized = ({ payment }) => {
      const token = JSON.stringify(payment.token.paymentData)
      payWith({ wallet: 'apple_pay', token }, { session: sent, core, onPay: options.onPay }).then(
        () => session.completePayment({ status: SUCCESS }),
        (error: unknown) => fail(error, () => session.completePayment({ status: FAILURE })),
      )
    }
    session.begin()
  }
  return { wallet: 'apple_pay', element }
}
