#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// What was parsed at the last start need not be parsed again: a command answers in half the time.
enableCompileCache()
const { program } = await import('./program.ts')
await program.parseAsync()
