import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { openTestPage, testData } from '../test-page/index.ts'
import { PageProvider, useCard, useConfig, useLocale, useMoney, useOrder, usePage, usePay, useText } from './index.ts'

function Shown(): ReactNode {
  const [money, t] = [useMoney(), useText()]
  const { status } = useCard()
  return createElement('p', null, [
    `${usePage().page.id} ${JSON.stringify(useConfig())} ${useOrder() === null} ${usePay().status} ${useLocale()}`,
    ` ${t({ en: 'Pay', de: 'Zahlen' })} ${money(500, 'USD')} ${status}`,
  ])
}

test("React renders the page's state", () => {
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  const page = openTestPage({ languages: ['de'], fetch, data: testData({ config: { colour: 'red' } }) })
  const shown = renderToString(createElement(PageProvider, { page }, createElement(Shown)))
  expect(shown.replaceAll(/<!-- -->|\u00a0/g, ' ')).toContain('home {&quot;colour&quot;:&quot;red&quot;} true idle de')
  expect(shown).toContain('Zahlen')
  expect(shown).toContain('loading')
})

test('hooks without a page throw an error with the fix', () => {
  expect(() => renderToString(createElement(Shown))).toThrow(/<PageProvider/)
})
