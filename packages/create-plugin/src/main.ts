#!/usr/bin/env node
import manifest from '../package.json' with { type: 'json' }
import { run } from './run.ts'

const words = process.argv.slice(2)
if (words.length === 1 && words[0] === '--version') process.stdout.write(`${manifest.version}\n`)
else void run(words)
