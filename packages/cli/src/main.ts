#!/usr/bin/env node
import { keepCompiled } from '@tillwright/platform/keep-compiled'

keepCompiled()
const { run } = await import('./run.ts')
await run(process.argv.slice(2))
