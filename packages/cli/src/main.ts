#!/usr/bin/env node
import { keepCompiled } from '@tillwright/platform/keep-compiled'
import manifest from '../package.json' with { type: 'json' }

const words = process.argv.slice(2)
// The reader of the output is gone: end as with a signal, so that everything started is stopped properly.
process.stdout.once('error', () => process.kill(process.pid, 'SIGTERM')).on('error', () => {})
if (words.length === 1 && words[0] === '--version') {
  // Scripts ask for the version first; answering it needs nothing else, which would double the start-up time.
  process.stdout.write(`${manifest.version}\n`)
} else {
  keepCompiled()
  const { run } = await import('./run.ts')
  await run(words)
}
