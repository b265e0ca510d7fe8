import type { OperationName } from '../api/client.ts'
import type { IconName } from '../design/icon.tsx'
import type { texts } from './texts/en.ts'

type PageName = keyof typeof texts extends infer Key ? (Key extends `page.${infer Name}` ? Name : never) : never

/** A page that the menu leads to. */
export interface MenuPage {
  name: PageName
  /** Below `/console`. */
  path: string
  icon: IconName
  /** The operation that it reads first: a role without it does not see the page. */
  needs: OperationName
  /** After `g`, the letter that goes there. */
  letter?: string
}

/** Pages that stand together in the menu. */
export interface Section {
  title?: 'section.sell' | 'section.steer' | 'section.build' | 'section.people' | 'section.platform'
  pages: readonly MenuPage[]
}

/** The menu. What a member sees of it comes from the operations that the member's role allows. */
export const sections: readonly Section[] = [
  {
    pages: [
      { name: 'home', path: '', icon: 'home', needs: 'me.get', letter: 'h' },
      { name: 'payments', path: '/payments', icon: 'payment', needs: 'payments.list', letter: 'p' },
      { name: 'refunds', path: '/refunds', icon: 'refund', needs: 'refunds.list' },
      { name: 'orders', path: '/orders', icon: 'order', needs: 'orders.list', letter: 'o' },
      { name: 'customers', path: '/customers', icon: 'customer', needs: 'customers.list', letter: 'c' },
      { name: 'subscriptions', path: '/subscriptions', icon: 'subscription', needs: 'subscriptions.list', letter: 's' },
      { name: 'disputes', path: '/disputes', icon: 'dispute', needs: 'disputes.list' },
      { name: 'refundRequests', path: '/refund-requests', icon: 'check', needs: 'refundRequests.list' },
    ],
  },
  {
    title: 'section.sell',
    pages: [
      { name: 'products', path: '/products', icon: 'product', needs: 'products.list', letter: 'r' },
      { name: 'promotions', path: '/promotions', icon: 'promotion', needs: 'promotions.list' },
      { name: 'stores', path: '/stores', icon: 'store', needs: 'stores.list' },
    ],
  },
  {
    title: 'section.steer',
    pages: [
      { name: 'flows', path: '/flows', icon: 'flow', needs: 'paymentFlows.list', letter: 'f' },
      { name: 'processors', path: '/processors', icon: 'processor', needs: 'processors.list' },
      { name: 'plugins', path: '/plugins', icon: 'plugin', needs: 'pluginManagement.plugins', letter: 'l' },
    ],
  },
  {
    title: 'section.build',
    pages: [
      { name: 'keys', path: '/keys', icon: 'key', needs: 'apiKeys.list', letter: 'k' },
      { name: 'webhooks', path: '/webhooks', icon: 'webhook', needs: 'webhookEndpoints.list', letter: 'w' },
      { name: 'events', path: '/events', icon: 'event', needs: 'eventLog.list', letter: 'e' },
      { name: 'requests', path: '/requests', icon: 'request', needs: 'requests.list', letter: 'q' },
      { name: 'testing', path: '/testing', icon: 'payment', needs: 'accounts.get' },
      { name: 'scenarios', path: '/scenarios', icon: 'scenario', needs: 'accounts.get' },
      { name: 'testClock', path: '/test-clock', icon: 'clock', needs: 'testClock.get' },
    ],
  },
  {
    title: 'section.people',
    pages: [
      { name: 'members', path: '/members', icon: 'member', needs: 'members.list', letter: 'm' },
      { name: 'audit', path: '/audit', icon: 'audit', needs: 'audit.list', letter: 'a' },
      { name: 'account', path: '/account', icon: 'account', needs: 'accounts.get' },
    ],
  },
  {
    title: 'section.platform',
    pages: [{ name: 'operations', path: '/operations', icon: 'operations', needs: 'platform.get' }],
  },
]

/** The sections with the pages that these operations allow. */
export function allowedSections(operations: readonly string[]): readonly Section[] {
  return sections
    .map((section) => ({ ...section, pages: section.pages.filter(({ needs }) => operations.includes(needs)) }))
    .filter(({ pages }) => pages.length > 0)
}

/** The address of a page of the console. */
export function consoleUrl(path: string): string {
  return `/console${path}`
}
