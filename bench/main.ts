/** Benches of other packages than the platform, by name, such as `pnpm bench checkout`. */
const packages: Readonly<Record<string, string>> = {
  checkout: 'checkout',
  build: 'plugin-build',
  cli: 'cli',
  create: 'create-plugin',
  dev: 'plugin-dev',
}
const program = packages[process.argv[2] ?? ''] ?? 'platform'
await import(`../packages/${program}/bench/main.ts`)
