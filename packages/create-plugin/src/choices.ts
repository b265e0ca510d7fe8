import { basename, resolve } from 'node:path'

/** The templates, with a description for the help text. */
export const templates = {
  blank: 'one page with one setting',
  checkout: 'an order, who buys it, the card, and a thank-you page',
  funnel: 'offer, checkout, second offer by one click, thank-you',
} as const
export type Template = keyof typeof templates

/** The templates whose first page sells a product. */
export const sellingTemplates: readonly Template[] = ['checkout', 'funnel']

/** The languages, by their display names. */
export const languages = { typescript: 'TypeScript', javascript: 'JavaScript' } as const
export type Language = keyof typeof languages

/** Short names of languages that the command line takes too. */
export const shortLanguages: ReadonlyMap<string, Language> = new Map([
  ['ts', 'typescript'],
  ['js', 'javascript'],
])

/** The frameworks, by their display names. */
export const frameworks = { preact: 'Preact', react: 'React' } as const
export type Framework = keyof typeof frameworks

/** The commands of a package manager, for README and CI files. */
export interface ManagerCommands {
  install: string
  /** Installs what the lockfile names and nothing else. */
  installLocked: string
  /** The command that runs a script. */
  run: string
  test: string
  /** Installs the package manager itself on a machine with Node; empty if Node includes it. */
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
} as const satisfies Record<string, ManagerCommands>
export type PackageManager = keyof typeof packageManagers

/** The choices for a new plugin. */
export interface PluginChoices {
  /** The folder as it was given. */
  folder: string
  name: string
  template: Template
  language: Language
  framework: Framework
  packageManager: PackageManager
  /** The product variant that it sells in every store; '' to choose one when it is published. */
  variant: string
  /** Whether to install its packages. */
  install: boolean
  /** Whether to make a git repository of it, with a first commit. */
  git: boolean
}

/** The default folder. */
const FOLDER = 'my-plugin'

/**
 * Completes choices with the defaults.
 *
 * @param userAgent `npm_config_user_agent`, such as `pnpm/12.21.0 npm/? node/v26.10.0`.
 */
export function completeChoices(said: Partial<PluginChoices>, userAgent: string | undefined): PluginChoices {
  const { name } = said
  const folder = said.folder ?? (name === undefined ? FOLDER : idOf(name))
  return {
    folder,
    name: name ?? nameOf(folder),
    template: said.template ?? 'blank',
    language: said.language ?? 'typescript',
    framework: said.framework ?? 'preact',
    packageManager: said.packageManager ?? managerOf(userAgent),
    variant: said.variant ?? '',
    install: said.install ?? true,
    git: said.git ?? false,
  }
}

/** The package manager that runs this; npm if it is unknown. Yarn 2 and later are `berry`. */
function managerOf(userAgent = ''): PackageManager {
  const [, name, major] = /^([a-z]+)\/(\d+)/.exec(userAgent) ?? []
  if (name === 'yarn' && Number(major) > 1) return 'berry'
  const known = Object.keys(packageManagers) as PackageManager[] // what the record is made of
  return known.find((each) => each === name) ?? 'npm'
}

/** The most characters of a plugin's name. */
export const NAME_MAX_CHARS = 255

/** A name for the plugin of a folder: `one-page_checkout` is "One page checkout". */
export function nameOf(folder: string): string {
  const words = basename(resolve(folder))
    .replaceAll(/[\s_.-]+/g, ' ')
    .trim()
    .slice(0, 64)
  return words === '' ? 'Plugin' : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The id that a name becomes; of a name in another script, `plugin`. */
export function idOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const id = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '')
  return id === '' ? 'plugin' : id
}
