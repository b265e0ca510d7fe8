#!/usr/bin/env node
// The command as it is installed. Plain JavaScript: an older Node reads it as well, and starts one that can run the rest.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecent, nodeFolder } from './bring-node.mjs'

if (isRecent()) {
  await import('../dist/main.js')
} else {
  const node = join(nodeFolder(), process.platform === 'win32' ? 'node.exe' : 'node')
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
