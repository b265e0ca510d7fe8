/** Benches of other packages than the platform, by name: `pnpm bench checkout`, `pnpm bench build`, `pnpm bench cli`. */
const packages: Readonly<Record<string, string>> = {
  checkout: 'checkout',
  build: 'plugin-build',
  cli: 'cli',
  create: 'create-plugin',
}
const program = packages[process.argv[2] ?? ''] ?? 'platform'
await import(`../packages/${program}/bench/main.ts`)
