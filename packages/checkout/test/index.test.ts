import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, expectTypeOf, test } from 'vitest'
import type { CardChange, CheckoutError } from '../src/index.ts'

test('importing the package or a face of it on a server touches nothing of a browser', async () => {
  expect(globalThis).not.toHaveProperty('window')
  expect(globalThis).not.toHaveProperty('HTMLElement')
  const folder = join(import.meta.dirname, '..')
  const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const names: Record<string, string[]> = {}
  for (const [face, file] of Object.entries<string>(exports)) {
    if (file.endsWith('.ts')) names[face] = Object.keys(await import(join(folder, file))).toSorted()
  }
  expect(names).toEqual({
    '.': ['CheckoutError', 'init'],
    './react': ['Card', 'CheckoutProvider', 'useCheckout'],
    './react/methods': ['PaymentMethods'],
    './react/wallets': ['Wallets'],
    './element': ['TillwrightCard'],
    './element/methods': ['TillwrightMethods'],
    './element/wallets': ['TillwrightWallets'],
  })
})

test('on a server the React card is an empty div, and there is no checkout yet', async () => {
  const { Card, CheckoutProvider, useCheckout } = await import('../src/react/index.ts')
  const State = (): string => (useCheckout() === null ? 'none' : 'some')
  const options = { publishableKey: 'test_pk_shop', vaultUrl: 'https://vault.example' }
  const page = createElement(CheckoutProvider, { options }, createElement(Card), createElement(State))
  expect(renderToString(page)).toBe('<div></div>none')
})

test('a React card without a provider says what is missing', async () => {
  const { Card } = await import('../src/react/index.ts')
  expect(() => renderToString(createElement(Card))).toThrow('Put a <CheckoutProvider> around')
})

test('listeners of an element know what its events bring, and those of all elements as before', () => {
  const listen = (card: HTMLElementTagNameMap['tillwright-card']): void => {
    card.addEventListener('change', ({ detail }) => expectTypeOf(detail).toEqualTypeOf<CardChange>())
    card.addEventListener('card-error', ({ detail }) => expectTypeOf(detail).toEqualTypeOf<CheckoutError>())
    card.addEventListener('keydown', ({ key }) => expectTypeOf(key).toEqualTypeOf<string>())
    // @ts-expect-error There is no such detail.
    card.addEventListener('change', ({ detail }) => detail.number)
  }
  expect(listen).toBeTypeOf('function')
})
