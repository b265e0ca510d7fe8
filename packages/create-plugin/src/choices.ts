/** What a plugin can begin as. */
export const templates = {
  blank: 'one page with one setting',
  checkout: 'an order, who buys it, the card, and a thank-you page',
  funnel: 'offer, checkout, second offer by one click, thank-you',
} as const
export type Template = keyof typeof templates

/** What it can be written in. */
export const languages = { typescript: 'TypeScript', javascript: 'JavaScript' } as const
export type Language = keyof typeof languages

/** What its components can be made with. */
export const frameworks = { preact: 'Preact', react: 'React' } as const
export type Framework = keyof typeof frameworks

/** What can install its packages: the words that its commands and its CI are written in. */
export interface ManagerWords {
  install: string
  /** Installs what the lockfile names and nothing else. */
  installLocked: string
  /** What stands before the name of a script. */
  run: string
  test: string
  /** What brings the program to a machine that has Node alone; empty where that has it. */
  setUp: string
}

export const packageManagers = {
  npm: { install: 'npm install', installLocked: 'npm ci', run: 'npm run', test: 'npm test', setUp: '' },
  pnpm: {
    install: 'pnpm install',
    installLocked: 'pnpm install --frozen-lockfile',
    run: 'pnpm run',
    test: 'pnpm test',
    setUp: 'npm install --global pnpm',
  },
  yarn: {
    install: 'yarn install',
    installLocked: 'yarn install --frozen-lockfile',
    run: 'yarn run',
    test: 'yarn test',
    setUp: 'npm install --global yarn',
  },
  /** Yarn from version 2 on. */
  berry: {
    install: 'yarn install',
    installLocked: 'yarn install --immutable',
    run: 'yarn run',
    test: 'yarn test',
    setUp: 'npm install --global @yarnpkg/cli-dist',
  },
  bun: {
    install: 'bun install',
    installLocked: 'bun install --frozen-lockfile',
    run: 'bun run',
    test: 'bun run test',
    setUp: 'npm install --global bun',
  },
} as const satisfies Record<string, ManagerWords>
export type PackageManager = keyof typeof packageManagers

/** A plugin as it is wanted. */
export interface Wanted {
  /** Where it goes, as it was named. */
  folder: string
  name: string
  template: Template
  language: Language
  framework: Framework
  packageManager: PackageManager
  /** Whether to install its packages. */
  install: boolean
  /** Whether to make a git repository of it, with a first commit. */
  git: boolean
}
