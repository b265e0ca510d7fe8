/** Imports allowed in one workspace package. */
export interface PackageArrows {
  /** Our own packages, by folder, whose code it may run. */
  imports: readonly string[]
  /** Our own packages of which it may use types only, because their code is too heavy for where it runs. */
  types?: readonly string[]
  /** Subpaths of such packages whose code it may run none the less, because they are light: `contract/networks`. */
  light?: readonly string[]
  /** Our own packages that it loads by `import()` where they happen to be installed: optional peers. */
  optional?: readonly string[]
  /** Our own packages whose built files it serves without running any of their code. */
  files?: readonly string[]
  /** npm packages that it may list as dependencies. */
  brings: readonly string[]
}

/** The arrows between packages: folder -> what it may import. What is not here is forbidden. */
export const packageArrows: Readonly<Record<string, PackageArrows>> = {
  'packages/contract': { imports: [], brings: ['re2js', 'zod'] },
  'packages/client': { imports: ['contract'], brings: ['standardwebhooks'] },
  'packages/emv-3ds': { imports: [], brings: [] },
  'packages/design-tokens': { imports: [], brings: [] },
  'packages/bank-simulator': { imports: ['contract', 'design-tokens', 'emv-3ds'], brings: ['asn1js', 'pkijs', 'zod'] },
  'packages/platform': {
    imports: ['contract', 'design-tokens', 'emv-3ds'],
    optional: ['bank-simulator'],
    files: ['checkout', 'console', 'docs'],
    brings: [
      '@adyen/api-library',
      '@aws-sdk/client-kms',
      '@aws-sdk/client-s3',
      '@google-cloud/kms',
      '@hono/node-server',
      '@opentelemetry/api',
      '@opentelemetry/core',
      '@opentelemetry/exporter-prometheus',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/exporter-trace-otlp-proto',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace',
      '@paypal/paypal-server-sdk',
      '@simplewebauthn/server',
      'ajv',
      'ajv-formats',
      'asn1js',
      'checkout-sdk-node',
      'hono',
      'jose',
      'marked',
      'openid-client',
      'pg',
      'pino',
      'pkcs11js',
      'pkijs',
      'standardwebhooks',
      'stripe',
      'tldts',
      'zod',
    ],
  },
  'packages/checkout': {
    imports: [],
    types: ['contract'],
    light: ['contract/card-rules', 'contract/decimals', 'contract/iban', 'contract/json', 'contract/networks'],
    brings: ['preact', 'react'],
  },
  'packages/plugin-sdk': { imports: [], types: ['contract'], brings: ['preact', 'react'] },
  'packages/plugin-build': {
    imports: ['contract'],
    brings: ['ajv', 'ajv-formats', 'esbuild', 'jsonc-parser', 'semver'],
  },
  'packages/plugin-dev': {
    imports: ['contract', 'client', 'plugin-build'],
    brings: [
      '@prefresh/vite',
      '@vitejs/plugin-react',
      'axe-core',
      'chokidar',
      'pixelmatch',
      'playwright-core',
      'pngjs',
      'selfsigned',
      'vite',
      'zod',
    ],
  },
  'packages/plugin-publish': { imports: ['contract', 'client', 'plugin-build'], brings: ['semver'] },
  'packages/cli': {
    imports: ['contract', 'client', 'bank-simulator', 'platform', 'plugin-build', 'plugin-dev', 'plugin-publish'],
    brings: ['@clack/prompts', 'commander', 'picocolors', 'std-env', 'uqr'],
  },
  'packages/tillwright': { imports: [], brings: [] },
  'packages/create-plugin': { imports: [], brings: ['@clack/prompts'] },
  'apps/offer-funnel': { imports: ['plugin-sdk'], brings: ['preact'] },
  'apps/one-page-checkout': { imports: ['plugin-sdk'], brings: ['preact'] },
  'templates/blank': { imports: ['plugin-sdk'], brings: ['preact'] },
  'templates/checkout': { imports: ['plugin-sdk'], brings: ['preact'] },
  'templates/funnel': { imports: ['plugin-sdk'], brings: ['preact'] },
  'apps/console': {
    imports: ['contract', 'design-tokens'], // when it is built; its pages have types alone
    types: ['client'],
    brings: ['@tanstack/query-core', 'preact', 'preact-iso', 'uplot'],
  },
  'apps/docs': {
    imports: ['design-tokens'],
    brings: ['@11ty/eleventy', 'esbuild', 'highlight.js', 'markdown-it', 'minisearch'], // when it is built
  },
  'apps/demo-shop': { imports: ['contract', 'client', 'checkout'], brings: ['@hono/node-server', 'hono'] },
}

/** The rooms of the platform from the ground up; a room may import from the steps before its own. */
export const steps: readonly (readonly string[])[] = [
  ['runtime', 'version.ts'],
  ['telemetry', 'channel'],
  ['storage'],
  ['cluster', 'keys'],
  ['request-context.ts'],
  ['lists', 'changes'],
  ['audit'],
  ['requests'],
  ['events'],
  ['accounts', 'catalog', 'vault'],
  ['members'],
  ['customers', 'hooks'],
  ['promotions'],
  ['ledger'],
  ['orders'],
  ['processors'],
  ['routing'],
  ['threeds'],
  ['subscriptions'],
  ['payments'],
  ['post-authorization', 'disputes', 'renewals'],
  ['processor-events'],
  ['statistics'],
  ['funnels'],
  ['plugins'],
  ['sessions'],
  ['privacy'],
  ['oversight'],
  ['http'],
]

/** Rooms that compose the others, and may import from all of them. */
const composition = [
  'roles.ts',
  'config.ts',
  'platform-keys.ts',
  'vault-calls.ts',
  'api-origin.ts',
  'console-at.ts',
  'platform-log.ts',
  'simulator.ts',
  'observe-certificates.ts',
  'observe-platform.ts',
  'workers.ts',
  'request-listeners.ts',
  'stop-platform.ts',
  'platform.ts',
  'local',
  'operator',
]

const all = [...steps.flat(), ...composition]

/** The arrows inside `packages/platform/src`: folder or file -> what it may import. */
export const platformArrows: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(steps.flatMap((rooms, at) => rooms.map((room) => [room, steps.slice(0, at).flat()]))),
  'roles.ts': ['runtime', 'channel'],
  'config.ts': [
    'runtime',
    'telemetry',
    'storage',
    'keys',
    'vault',
    'members',
    'privacy',
    'oversight',
    'http',
    'roles.ts',
  ],
  'api-origin.ts': [...steps.flat(), 'config.ts'],
  'console-at.ts': ['storage', 'request-context.ts', 'members', 'http', 'config.ts', 'platform-keys.ts'],
  'vault-calls.ts': [...steps.flat(), 'config.ts', 'simulator.ts'],
  'platform-log.ts': ['runtime', 'telemetry', 'config.ts'],
  'simulator.ts': ['runtime', 'storage', 'request-context.ts', 'processors', 'threeds', 'vault'],
  local: all,
  operator: all,
  'observe-certificates.ts': all,
  'observe-platform.ts': all,
  'workers.ts': all,
  'request-listeners.ts': all,
  'stop-platform.ts': all,
  'platform-keys.ts': all,
  'platform.ts': all,
  'keep-compiled.ts': [],
  'run.ts': all,
  'main.ts': ['keep-compiled.ts', 'run.ts'],
  'index.ts': all,
}

/**
 * The package whose sources may print and exit, and the names of the files that may do so everywhere: programs, what
 * writes to the console of a shop's page, and what listens to that of a plugin's.
 */
export const terminal = { package: 'packages/cli', files: ['main.ts', 'run.ts', 'warn-shop.ts', 'failed-updates.ts'] }

/** Rooms of one folder that import each other in a circle. */
export interface KnownCircle {
  /** Relative to the repository. */
  folder: string
  /** Names of subfolders and files. */
  rooms: readonly string[]
}

/** The circles that are left, to be removed one by one: none. No new one may be added. */
export const knownCircles: readonly KnownCircle[] = []
