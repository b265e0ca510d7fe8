/** Benches of other packages than the platform, by name, such as `pnpm bench checkout`. */
const benches: Readonly<Record<string, string>> = {
  checkout: '../packages/checkout/bench/main.ts',
  build: '../packages/plugin-build/bench/main.ts',
  cli: '../packages/cli/bench/main.ts',
  create: '../packages/create-plugin/bench/main.ts',
  dev: '../packages/plugin-dev/bench/main.ts',
  pages: './pages/main.ts',
}
await import(benches[process.argv[2] ?? ''] ?? '../packages/platform/bench/main.ts')
