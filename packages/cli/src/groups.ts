import type { Command } from 'commander'
import type { Resource } from './resources/resource-command.ts'

/** A group of commands: the first word after `tillwright`. */
export interface Group {
  name: string
  description: string
  load: () => Promise<Command>
  /** Whether it needs all other groups, which are then loaded too. */
  isAboutAll?: true
}

/** All groups of commands, in the order of the help. */
export const groups: readonly Group[] = [
  {
    name: 'start',
    description: 'Start the local back end, and a command next to it with its addresses and keys in TILLWRIGHT_...',
    load: async () => (await import('./start/start-command.ts')).startCommand,
  },
  {
    name: 'serve',
    description: 'Run a platform with the settings of the environment, on a server or in a container',
    load: async () => (await import('./start/serve-command.ts')).serveCommand,
  },
  {
    name: 'health',
    description: 'Ask the platform of this container or machine whether it is ready',
    load: async () => (await import('./start/serve-command.ts')).healthCommand,
  },
  {
    name: 'login',
    description: 'Store the key of a platform for other commands',
    load: async () => (await import('./login/commands.ts')).loginCommand,
  },
  {
    name: 'logout',
    description: 'Forget the key of a platform',
    load: async () => (await import('./login/commands.ts')).logoutCommand,
  },
  {
    name: 'whoami',
    description: 'Show which key a command would use, and for which platform',
    load: async () => (await import('./login/commands.ts')).whoamiCommand,
  },
  {
    name: 'plan',
    description: 'Show what publishing a plugin would do',
    load: async () => (await import('./publish/publish-command.ts')).planCommand,
  },
  {
    name: 'publish',
    description: 'Build a plugin and publish everything: files, settings, activation',
    load: async () => (await import('./publish/publish-command.ts')).publishCommand,
  },
  {
    name: 'deploy',
    description: 'Build a plugin and deploy it without its settings',
    load: async () => (await import('./publish/publish-command.ts')).deployCommand,
  },
  {
    name: 'deployments',
    description: 'List, show, activate and remove deployments, and take them offline',
    load: async () => (await import('./deployments/deployments.ts')).deploymentsCommand,
  },
  {
    name: 'rollback',
    description: 'Go back to the previously active deployment',
    load: async () => (await import('./deployments/deployments.ts')).rollbackCommand,
  },
  {
    name: 'sync-config',
    description: 'Sync presets and schemas of a deployment',
    load: async () => (await import('./settings/settings.ts')).syncConfigCommand,
  },
  {
    name: 'sync-templates',
    description: 'Sync templates of a deployment',
    load: async () => (await import('./settings/settings.ts')).syncTemplatesCommand,
  },
  {
    name: 'diff',
    description: 'Compare the settings here with the live ones',
    load: async () => (await import('./settings/settings.ts')).diffCommand,
  },
  {
    name: 'promote',
    description: 'Show a plugin on your own domain',
    load: async () => (await import('./deployments/domains.ts')).promoteCommand,
  },
  {
    name: 'domains',
    description: 'List the domains of a store, and remove plugins from them',
    load: async () => (await import('./deployments/domains.ts')).domainsCommand,
  },
  {
    name: 'init',
    description: 'Turn a folder into a plugin: a new one, or an existing project',
    load: async () => (await import('./author/init.ts')).initCommand,
  },
  {
    name: 'validate',
    description: 'Check a plugin, and fix what is unambiguous',
    load: async () => (await import('./author/validate.ts')).validateCommand,
  },
  {
    name: 'types',
    description: "Generate types for a plugin's settings and pages",
    load: async () => (await import('./author/types.ts')).typesCommand,
  },
  {
    name: 'import',
    description: 'Update an older plugin',
    load: async () => (await import('./author/import.ts')).importCommand,
  },
  {
    name: 'dev',
    description: 'Show a plugin in the browser while you develop it',
    load: async () => (await import('./dev/dev-command.ts')).devCommand,
  },
  {
    name: 'test',
    description: "Test a plugin's scenarios in a browser: screenshots, accessibility, errors, bytes",
    load: async () => (await import('./scenarios/commands.ts')).testCommand,
  },
  {
    name: 'preview',
    description: 'Preview a deployment in its own session, or take its screenshots',
    load: async () => (await import('./scenarios/commands.ts')).previewCommand,
  },
  {
    name: 'build',
    description: 'Bundle a plugin, and report what its pages load',
    load: async () => (await import('./author/build.ts')).buildCommand,
  },
  {
    name: 'node',
    description: 'Run Node as the command line does, for tests and scripts of a plugin',
    load: async () => (await import('./author/node.ts')).nodeCommand,
  },
  {
    name: 'accounts',
    description: 'Create, list, read and update accounts',
    load: async () => (await import('./accounts/accounts.ts')).accountsCommand,
  },
  ofResource('requests', 'Look up requests that failed, by the id in their error', 'requests'),
  {
    name: 'audit',
    description: 'List the audit log, prove that it is whole, and show where it ends',
    load: async () => (await import('./audit/audit.ts')).auditCommand,
  },
  {
    name: 'keys',
    description: 'Create, list, read, roll and revoke API keys; rotate encryption keys',
    load: async () => (await import('./keys/keys.ts')).keysCommand,
  },
  {
    name: 'members',
    description: 'Make the first member of an account, by a one-time link; list, read, change and remove members',
    load: async () => (await import('./accounts/members.ts')).membersCommand,
  },
  {
    name: 'cards',
    description: 'Purge stored card numbers',
    load: async () => (await import('./cards/cards.ts')).cardsCommand,
  },
  {
    name: 'processors',
    description: 'Add, list, read, update and archive processors, and receive their events',
    load: async () => (await import('./processors/processors.ts')).processorsCommand,
  },
  {
    name: 'wallets',
    description: 'Manage Apple Pay and Google Pay: keys and certificates of accounts',
    load: async () => (await import('./wallets/wallets.ts')).walletsCommand,
  },
  {
    name: 'threeds',
    description: 'Add, list, change and remove 3-D Secure providers',
    load: async () => (await import('./threeds/threeds.ts')).threedsCommand,
  },
  ofResource(
    'threeds-providers',
    'List and read the 3-D Secure providers that an account can select',
    'threedsProviders',
  ),
  {
    name: 'webhooks',
    description: 'Add, list, read, update, enable, rotate and remove webhook endpoints; list and resend deliveries',
    load: async () => (await import('./webhooks/webhooks.ts')).webhooksCommand,
  },
  {
    name: 'events',
    description: 'Listen to events and forward them, simulate them, resend them',
    load: async () => (await import('./events/events-command.ts')).eventsCommand,
  },
  {
    name: 'clock',
    description: 'Show the clock of the local platform, or move it forward',
    load: async () => (await import('./clock/clock-command.ts')).clockCommand,
  },
  ofResource('stores', 'List, search, read, create, change and archive stores', 'stores'),
  ofResource('products', 'List, search, read, create, change and archive products', 'products'),
  ofResource('variants', 'Add, change and archive variants of products', 'variants'),
  ofResource('prices', 'Add, change, replace and archive prices of variants', 'prices'),
  ofResource('shipping-options', 'List and set the shipping options of a store', 'shippingOptions'),
  ofResource('hooks', 'Set, list and remove a store’s hooks, and read what they answered', 'hooks'),
  ofResource('promotions', 'List, search, read, create, update and archive promotions', 'promotions'),
  ofResource('customers', 'List, search, read, create, change, archive, export and erase customers', 'customers'),
  {
    name: 'erasures',
    description: 'List and read receipts of erased customers; erase them again in a recovered database',
    load: async () => (await import('./backup/erasures-command.ts')).erasuresCommand,
  },
  ofResource(
    'payment-instruments',
    'List, search, read, create, change and delete payment instruments',
    'paymentInstruments',
  ),
  ofResource('payment-flows', 'List, search, read, create, change and archive payment flows', 'paymentFlows'),
  ofResource('funnels', 'List, search, read, create, change and archive funnels, and preview them', 'funnels'),
  ofResource('orders', 'List, search and read orders, change their metadata, and price one', 'orders'),
  ofResource('subscriptions', 'List, search, read, update, retry, pause and cancel subscriptions', 'subscriptions'),
  ofResource('refunds', 'List, search and read refunds', 'refunds'),
  ofResource('refund-requests', 'List and read refunds that wait for a second person', 'refundRequests'),
  ofResource('refund-limits', 'Show how much of a payment one person may refund', 'refundLimits'),
  ofResource('disputes', 'List, read, answer and simulate disputes', 'disputes'),
  {
    name: 'payments',
    description: 'List, search, create, capture, refund and void payments, and explain where they went and why',
    load: async () => (await import('./payments/payments.ts')).paymentsCommand,
  },
  {
    name: 'flows',
    description: 'Try payment flows on past payments',
    load: async () => (await import('./flows/flows-command.ts')).flowsCommand,
  },
  ofResource(
    'platform',
    'Show the state of the platform to its operator: processes, what waits, schema, keys, backup',
    'platform',
  ),
  {
    name: 'backup',
    description: 'Copy everything that a platform keeps, except its keys, while it is running',
    load: async () => (await import('./backup/backup-command.ts')).backupCommand,
  },
  {
    name: 'restore',
    description: 'Bring a backup back into an empty place, or prove that it could be',
    load: async () => (await import('./backup/backup-command.ts')).restoreCommand,
  },
  {
    name: 'migrate',
    description: "Bring a database to this version's schema, or show how far it is",
    load: async () => (await import('./migrate/migrate-command.ts')).migrateCommand,
  },
  {
    name: 'doctor',
    description: 'Check this machine for problems, and show how to fix them',
    load: async () => (await import('./doctor/doctor-command.ts')).doctorCommand,
  },
  {
    name: 'completions',
    description: 'Print a shell completion script',
    load: async () => (await import('./completions/completions-command.ts')).completionsCommand,
    isAboutAll: true,
  },
]

/** Commands of a resource that are all made from the contract. */
function ofResource(name: string, description: string, resource: Resource): Group {
  return {
    name,
    description,
    load: async () => (await import('./resources/resource-command.ts')).resourceCommand(resource),
  }
}
