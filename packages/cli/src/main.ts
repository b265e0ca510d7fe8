#!/usr/bin/env node
import { keepCompiled } from '@tillwright/platform/keep-compiled'

keepCompiled()
const { program } = await import('./program.ts')
await program.parseAsync()
