import { builders, type BuilderName, type BuiltFile } from './builders.ts'

/** The time and output of one build. */
export interface Timing {
  builder: BuilderName
  /** Until all output was in memory. */
  timeMs: number
  files: BuiltFile[]
}

/**
 * Run as a process: `time-builder.ts <plugin> <builder>`. It reports that it is ready; then each message requests one
 * build and is answered with its timing. The first build includes loading the builder.
 */
const [, , root = '', name] = process.argv
const builder = name as BuilderName // passed by main.ts only
process.on('message', async () => {
  const start = performance.now()
  const files = await builders[builder](root)
  const timing: Timing = { builder, timeMs: performance.now() - start, files }
  process.send?.(timing)
})
process.send?.('ready')
// Node stores its compile cache only when the process exits by itself; the services of esbuild and Vite would keep it alive.
process.on('disconnect', () => process.exit(0))
