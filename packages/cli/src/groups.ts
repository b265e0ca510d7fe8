import type { Command } from 'commander'

/** What stands first behind `tillwright`. */
export interface Group {
  name: string
  description: string
  load: () => Promise<Command>
  /** Whether it is about all the others, so that they are loaded with it. */
  isAboutAll?: true
}

/** Every group of commands, in the order of the help. */
export const groups: readonly Group[] = [
  {
    name: 'start',
    description:
      'Start the local back end, and a command beside it that finds its addresses and keys in TILLWRIGHT_...',
    load: async () => (await import('./start/start-command.ts')).startCommand,
  },
  {
    name: 'login',
    description: 'Keep the key of a platform, so that other commands find it',
    load: async () => (await import('./login/commands.ts')).loginCommand,
  },
  {
    name: 'logout',
    description: 'Forget the key of a platform',
    load: async () => (await import('./login/commands.ts')).logoutCommand,
  },
  {
    name: 'whoami',
    description: 'Show whose key a command would use, and where',
    load: async () => (await import('./login/commands.ts')).whoamiCommand,
  },
  {
    name: 'plan',
    description: 'Say what publishing a plugin would do',
    load: async () => (await import('./publish/publish-command.ts')).planCommand,
  },
  {
    name: 'publish',
    description: 'Build a plugin and publish all of it: files, settings, activation',
    load: async () => (await import('./publish/publish-command.ts')).publishCommand,
  },
  {
    name: 'deploy',
    description: 'Build a plugin and deploy it, without its settings',
    load: async () => (await import('./publish/publish-command.ts')).deployCommand,
  },
  {
    name: 'deployments',
    description: 'List, view, activate, remove and restore deployments',
    load: async () => (await import('./deployments/deployments.ts')).deploymentsCommand,
  },
  {
    name: 'rollback',
    description: 'Go back to what was active before',
    load: async () => (await import('./deployments/deployments.ts')).rollbackCommand,
  },
  {
    name: 'sync-config',
    description: 'Bring presets and schemas of a deployment up to date',
    load: async () => (await import('./settings/settings.ts')).syncConfigCommand,
  },
  {
    name: 'sync-templates',
    description: 'Bring templates of a deployment up to date',
    load: async () => (await import('./settings/settings.ts')).syncTemplatesCommand,
  },
  {
    name: 'diff',
    description: 'Show how the settings here differ from the live ones',
    load: async () => (await import('./settings/settings.ts')).diffCommand,
  },
  {
    name: 'promote',
    description: 'Show a plugin on a domain of your own',
    load: async () => (await import('./deployments/domains.ts')).promoteCommand,
  },
  {
    name: 'domains',
    description: 'List the domains that show plugins of a store, and take plugins off them',
    load: async () => (await import('./deployments/domains.ts')).domainsCommand,
  },
  {
    name: 'init',
    description: 'Make a folder a plugin: a new one, or a project that is there',
    load: async () => (await import('./author/init.ts')).initCommand,
  },
  {
    name: 'validate',
    description: 'Check a plugin, and mend what leaves no doubt',
    load: async () => (await import('./author/validate.ts')).validateCommand,
  },
  {
    name: 'types',
    description: "Write the types of a plugin's settings and pages",
    load: async () => (await import('./author/types.ts')).typesCommand,
  },
  {
    name: 'import',
    description: 'Bring an older plugin up to date',
    load: async () => (await import('./author/import.ts')).importCommand,
  },
  {
    name: 'dev',
    description: 'Show a plugin in the browser while it is being written',
    load: async () => (await import('./dev/dev-command.ts')).devCommand,
  },
  {
    name: 'test',
    description: 'See the scenarios of a plugin in a browser: pictures, accessibility, errors, bytes',
    load: async () => (await import('./scenarios/commands.ts')).testCommand,
  },
  {
    name: 'preview',
    description: 'Open a deployment in a session of its own, or take the pictures of how it looks',
    load: async () => (await import('./scenarios/commands.ts')).previewCommand,
  },
  {
    name: 'build',
    description: 'Bundle a plugin, and tell what its pages load',
    load: async () => (await import('./author/build.ts')).buildCommand,
  },
  {
    name: 'accounts',
    description: 'Make, list and change accounts',
    load: async () => (await import('./accounts/accounts.ts')).accountsCommand,
  },
  {
    name: 'keys',
    description: 'Make, list and revoke API keys',
    load: async () => (await import('./keys/keys.ts')).keysCommand,
  },
  {
    name: 'processors',
    description: 'Add, list and archive processors, and take their events',
    load: async () => (await import('./processors/processors.ts')).processorsCommand,
  },
  {
    name: 'threeds',
    description: 'Add, list and remove 3-D Secure providers',
    load: async () => (await import('./threeds/threeds.ts')).threedsCommand,
  },
  {
    name: 'webhooks',
    description: 'Add, list, enable, rotate and remove webhook endpoints; see what was sent and send it again',
    load: async () => (await import('./webhooks/webhooks.ts')).webhooksCommand,
  },
  {
    name: 'events',
    description: 'Listen to events and forward them, try them out, send them again',
    load: async () => (await import('./events/events-command.ts')).eventsCommand,
  },
  {
    name: 'clock',
    description: 'Show the clock of the local platform, or move it forward',
    load: async () => (await import('./clock/clock-command.ts')).clockCommand,
  },
  {
    name: 'payments',
    description: 'See why payments went where they went, and where their money stands',
    load: async () => (await import('./payments/payments.ts')).paymentsCommand,
  },
  {
    name: 'flows',
    description: 'Try payment flows on payments of the past',
    load: async () => (await import('./flows/flows-command.ts')).flowsCommand,
  },
  {
    name: 'doctor',
    description: 'Look at what commands need here, and tell how to mend what is wrong',
    load: async () => (await import('./doctor/doctor-command.ts')).doctorCommand,
  },
  {
    name: 'completions',
    description: 'Print a script that makes a shell complete commands and options',
    load: async () => (await import('./completions/completions-command.ts')).completionsCommand,
    isAboutAll: true,
  },
]
