/** Benches of other packages than the platform, by name: `pnpm bench checkout`, `pnpm bench build`, `pnpm bench cli`, `pnpm bench dev`. */
const packages: Readonly<Record<string, string>> = {
  checkout: 'checkout',
  build: 'plugin-build',
  cli: 'cli',
  dev: 'plugin-dev',
}
const program = packages[process.argv[2] ?? ''] ?? 'platform'
await import(`../packages/${program}/bench/main.ts`)
