#!/usr/bin/env node
import manifest from '../package.json' with { type: 'json' }

const words = process.argv.slice(2)
if (words.length === 1 && words[0] === '--version') {
  process.stdout.write(`${manifest.version}\n`) // answered without loading the rest
} else {
  void import('./run.ts').then(({ run }) => run(words))
}
