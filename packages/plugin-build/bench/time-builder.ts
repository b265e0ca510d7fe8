import { builders, type BuilderName, type BuiltFile } from './builders.ts'

/** What one build took. */
export interface Timing {
  builder: BuilderName
  /** Until everything stood in memory. */
  timeMs: number
  files: BuiltFile[]
}

/**
 * A process of its own: `time-builder.ts <plugin> <rounds> <builder>...`. The builders take turns, so that a slow
 * moment of the machine meets them all; the first build of each includes loading it.
 */
const [, , root = '', rounds = '1', ...names] = process.argv
const timings: Timing[] = []
for (let round = 0; round < Number(rounds); round += 1) {
  for (const name of names) {
    const builder = name as BuilderName // given by main.ts alone
    const start = performance.now()
    const files = await builders[builder](root)
    timings.push({ builder, timeMs: performance.now() - start, files })
  }
}
// esbuild's and Vite's services would keep the process.
process.stdout.write(JSON.stringify(timings), () => process.exit(0))
