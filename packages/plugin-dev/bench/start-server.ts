import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchServer } from './servers.ts'

const program = fileURLToPath(new URL('serve-app.ts', import.meta.url))

/** Starts a server in a process of its own, as an author does: what one of them has to do is no part of the other's time. */
export async function startServer(name: 'ours' | 'vite', root: string): Promise<BenchServer> {
  // Installed packages contain no types: strips them here, once.
  const child = fork(program, [name, root], { env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.compiled') } })
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (address: string) => resolve(address)) // all that it sends
    child.once('close', (code) => reject(new Error(`The server of ${name} has ended with ${code}.`)))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
