import type { PageSnippet } from './read-snippets.ts'

/** The snippets that a buyer's browser runs: how each begins, by page. */
export const browserPages: Readonly<Record<string, readonly string[]>> = {
  '3-d-secure/index': ['await checkout.authenticate', 'const leaving'],
  '3-d-secure/production': ['parent.postMessage'],
  'checkout/appearance': ['const card'],
  'checkout/environments': ['// Where a frame cannot'],
  'checkout/index': [
    '<script',
    'import { init }',
    'const { serviceToken }',
    'card.on',
    'const saved',
    'const chosen',
    'const card',
  ],
  'checkout/methods': ['const checkout'],
  'checkout/wallets': ['const checkout'],
  'packages/checkout/README': ['<script'],
  'packages/plugin-sdk/README': ['import { openPage }'],
  'plugins/dev': ['document.addEventListener'],
  'plugins/index': ['const data'],
  'plugins/sdk': ['import { openPage }'],
  'start/from-stripe-checkout': ['const checkout', 'const { serviceToken }'],
}

/** Whether a buyer's browser runs a snippet. */
export function isOfBrowser({ page, code, notRun }: PageSnippet): boolean {
  return notRun === null && browserPages[page]?.some((start) => code.startsWith(start)) === true
}
