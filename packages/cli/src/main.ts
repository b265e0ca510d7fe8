#!/usr/bin/env node
import { keepCompiled } from '@tillwright/platform/keep-compiled'
import manifest from '../package.json' with { type: 'json' }

const words = process.argv.slice(2)
// Nobody takes the output any more: the command ends as at a signal, so that what it has started is stopped properly.
process.stdout.once('error', () => process.kill(process.pid, 'SIGTERM')).on('error', () => {})
if (words.length === 1 && words[0] === '--version') {
  // What scripts ask first needs nothing of the rest, which would take as long again as Node itself.
  process.stdout.write(`${manifest.version}\n`)
} else {
  keepCompiled()
  const { run } = await import('./run.ts')
  await run(words)
}
