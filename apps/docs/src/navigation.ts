/** A part of the site: a folder of pages, in the order in which they are read. */
export interface Section {
  folder: string
  title: string
  /** Names without `.md`; `index` comes first. */
  pages: readonly string[]
  /** The folder's other pages follow, by name. */
  hasMore?: true
}

/** The order of everything. A page in none of the sections fails the build. */
export const sections: readonly Section[] = [
  {
    folder: 'start',
    title: 'Start',
    pages: [
      'index',
      'console',
      'plain-page',
      'react',
      'vue',
      'svelte',
      'angular',
      'nextjs',
      'from-stripe-checkout',
      'from-medusa',
      'from-shopify-functions',
    ],
  },
  {
    folder: 'checkout',
    title: 'Checkout',
    pages: ['index', 'appearance', 'methods', 'wallets', 'policies', 'environments', 'browsers', 'page-fields'],
  },
  {
    folder: 'payments',
    title: 'Payments',
    pages: [
      'index',
      'catalogue',
      'capture-and-refund',
      'disputes',
      'cards-on-file',
      'methods',
      'webhooks',
      'routing',
      'processors',
      'stripe',
      'adyen',
      'checkout-com',
      'paypal',
      'drivers',
      'hooks',
    ],
  },
  { folder: '3-d-secure', title: '3-D Secure', pages: ['index', 'exemptions', 'testing', 'production'] },
  { folder: 'subscriptions', title: 'Subscriptions', pages: ['index'] },
  { folder: 'promotions', title: 'Promotions', pages: ['index'] },
  { folder: 'plugins', title: 'Plugins', pages: ['index', 'dev', 'sdk', 'funnels', 'manifest', 'gates', 'publishing'] },
  {
    folder: 'operating',
    title: 'Operating',
    pages: [
      'index',
      'going-live',
      'first-key',
      'domains',
      'settings',
      'roles',
      'many-processes',
      'scale',
      'postgresql',
      'plugin-files',
      'backup',
      'changing-the-schema',
      'observability',
      'operating-over-http',
      'failed-requests',
    ],
  },
  {
    folder: 'security',
    title: 'Security',
    pages: ['index', 'keys', 'members', 'member-roles', 'audit', 'privacy', 'pci-dss'],
  },
  {
    folder: 'reference',
    title: 'Reference',
    pages: [
      'index',
      'resources',
      'lists',
      'changing',
      'live',
      'statistics',
      'messages',
      'bounds',
      'sizes',
      'fields',
      'glossary',
    ],
  },
  { folder: 'why', title: 'Why', pages: ['index'], hasMore: true },
  {
    folder: 'contributing',
    title: 'Contributing',
    pages: ['index', 'architecture', 'style', 'chaos', 'simulation', 'benchmarks'],
    hasMore: true,
  },
]
