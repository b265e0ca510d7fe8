/** Benches by name, such as `pnpm bench checkout`; any other name is one of the platform's. */
const benches: Readonly<Record<string, string>> = {
  checkout: '../packages/checkout/bench/main.ts',
  pages: './pages/main.ts',
  dev: '../packages/plugin-dev/bench/main.ts',
  build: '../packages/plugin-build/bench/main.ts',
  cli: '../packages/cli/bench/main.ts',
  create: '../packages/create-plugin/bench/main.ts',
}
const platform = '../packages/platform/bench/main.ts'

/** `pnpm bench` alone measures every aim, one after the other, so that none takes the machine from another. */
const name = process.argv[2]
if (name !== undefined) await import(benches[name] ?? platform)
else for (const each of [platform, ...Object.values(benches)]) await import(each).catch(missed)

/** Counts a benchmark that cannot run here as missed; the others run all the same. */
function missed(error: unknown): void {
  console.log(`MISS ${error instanceof Error ? error.message : String(error)}`)
}
