import { createElement, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import '../src/element/methods.ts'
import { TillwrightWallets } from '../src/element/wallets.ts'
import type { WalletPayment } from '../src/index.ts'
import { CheckoutProvider } from '../src/react/index.ts'
import { PaymentMethods, type PaymentMethodsHandle } from '../src/react/methods.ts'
import { Wallets } from '../src/react/wallets.ts'

declare global {
  interface Window {
    /** Puts an element with these attributes into the page and notes its events. */
    addElement(name: string, attributes: Record<string, string>): void
    /** Shows the React faces for a key of a vault, for the amount that `setAmount` changes. */
    showFaces(options: { publishableKey: string; vaultUrl: string }): void
    setAmount(amount: number): void
    reactMethods: PaymentMethodsHandle | null
    leaveFaces(): void
  }
}

const note = (name: string) => (detail?: unknown) => void window.events.push([name, detail])

window.addElement = (name, attributes) => {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  for (const event of ['ready', 'methods-change', 'methods-error', 'wallets-error']) {
    element.addEventListener(event, (happened) => {
      note(event)(happened instanceof CustomEvent && (happened.detail?.code ?? happened.detail))
    })
  }
  if (element instanceof TillwrightWallets) element.onPay = notePaid
  document.querySelector('#card')?.append(element)
}

const notePaid = async (paid: WalletPayment) => note('paid')(paid)

function Faces(): ReactNode {
  const [amount, setAmount] = useState(4_098)
  window.setAmount = setAmount
  const sum = { amount, currency: 'EUR' }
  return [
    createElement(Wallets, {
      ...sum,
      key: 'wallets',
      country: 'NL',
      onPay: notePaid,
      onReady: note('wallets ready'),
      onError: ({ code }) => note('wallets error')(code),
    }),
    createElement(PaymentMethods, {
      ...sum,
      key: 'methods',
      storeId: 'store_1',
      onReady: note('methods ready'),
      onChange: note('methods change'),
      onError: ({ code }) => note('methods error')(code),
      ref: (handle) => {
        window.reactMethods = handle
      },
    }),
  ]
}

window.showFaces = (options) => {
  const place = document.querySelector('#card')
  if (!place) throw new Error("The shop's page has no #card.")
  const root = createRoot(place)
  root.render(createElement(CheckoutProvider, { options }, createElement(Faces)))
  window.leaveFaces = () => root.unmount()
}
