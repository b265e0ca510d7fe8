import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { compileCache } from '../../../.ci/compile-cache.ts'

/** Has Node compile the platform before the first process of it is killed, because one that is killed keeps nothing of it. */
export async function setup(): Promise<void> {
  const script = `await import(${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)})`
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
}
