import { Component, createElement, Fragment, type ReactNode, StrictMode, Suspense, use } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import type { InitOptions } from '../src/index.ts'
import { Card, type CardHandle, type CardProps, CheckoutProvider, useCheckout } from '../src/react/index.ts'

/** Props of a React shop's page. */
export interface ReactPageProps {
  options: InitOptions
  /** `null` for a page without a card. */
  card?: CardProps | null
  /** Marks the render whose callbacks are called. */
  render?: string
  /** Whether React tries components out as in development; `strict` unless said otherwise. */
  mode?: 'strict' | 'plain'
}

/** How a test drives that page. */
export interface ReactPage {
  show(props: ReactPageProps): void
  /** Takes over the markup of a server; errors of that are among the events. */
  hydrate(props: ReactPageProps, markup: string): void
  /** Suspends the component next to the card until the returned function is called. */
  suspend(props: ReactPageProps): () => void
  leave(): void
  card(): CardHandle | null
}

declare global {
  interface Window {
    reactPage: ReactPage
  }
}

let root: Root | null = null
let handle: CardHandle | null = null
let pending: Promise<void> | null = null

window.reactPage = {
  show: (props) => {
    root ??= createRoot(container())
    root.render(page(props))
  },
  hydrate: (props, markup) => {
    container().innerHTML = markup
    root = hydrateRoot(container(), page(props), {
      onRecoverableError: (error) => void window.events.push(['recoverable', String(error)]),
    })
  },
  suspend: (props) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    pending = promise
    window.reactPage.show(props)
    return resolve
  },
  leave: () => {
    root?.unmount()
    root = null
  },
  card: () => handle,
}

function page({ options, card, render = '', mode = 'strict' }: ReactPageProps): ReactNode {
  const note = (name: string) => (detail?: unknown) => void window.events.push([`${name}${render}`, detail])
  const form = createElement(Card, {
    ...card,
    onReady: note('ready'),
    onChange: note('change'),
    onBrand: note('brand'),
    onFocus: note('focus'),
    onBlur: note('blur'),
    onSubmit: note('submit'),
    onLoadError: note('loaderror'),
    onError: note('error'),
    ref: (current) => {
      handle = current
    },
  })
  const inside = createElement(CheckoutProvider, { options }, card !== null && form, createElement(Beside))
  const whole = createElement(Boundary, null, createElement(Suspense, null, inside))
  return createElement(mode === 'strict' ? StrictMode : Fragment, null, whole)
}

function Beside(): ReactNode {
  const checkout = useCheckout()
  if (pending) use(pending)
  return createElement('p', null, checkout ? 'some' : 'none')
}

class Boundary extends Component<{ children?: ReactNode }, { code: string | null }> {
  override state = { code: null }

  static getDerivedStateFromError(error: { code: string }): { code: string } {
    return { code: error.code }
  }

  override render(): ReactNode {
    return this.state.code ? createElement('output', null, this.state.code) : this.props.children
  }
}

function container(): Element {
  const element = document.querySelector('#card')
  if (!element) throw new Error("The shop's page has no #card.")
  return element
}
