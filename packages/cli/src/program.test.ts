import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const main = fileURLToPath(new URL('main.ts', import.meta.url))

function tillwright(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], (error, out, err) => resolve({ code: error?.code ?? 0, out, err }))
  })
}

test('--version says which one it is, --help what it can do', async () => {
  expect(await tillwright('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
  const help = await tillwright('--help')
  expect([help.code, help.err]).toEqual([0, ''])
  expect(help.out).toMatch(/Usage: tillwright[\s\S]+start/)
})

test.for([['stort'], ['start', '--shope', 'x']])('what it does not know (%s) is an error that helps', async (args) => {
  const { code, err } = await tillwright(...args)
  expect(code).toBe(1)
  expect(err).toMatch(/^error: unknown .*\n[\s\S]*(Did you mean|Usage: )/)
})
