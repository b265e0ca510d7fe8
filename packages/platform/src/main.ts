#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// What was parsed at the last start need not be parsed again; it halves the time to the first answer. Not in the shared
// /tmp, Node's default, where somebody else could leave code for us to run. The variable is for the thread that writes:
// without it that thread brings a compiler of its own, of 12 MB.
process.env['NODE_COMPILE_CACHE'] ??= join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'tillwright',
  'compiled',
)
enableCompileCache()
await import('./run.ts')
