import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readSecret } from './processors.ts'

const env = { TILLWRIGHT_PROCESSOR_SECRET: 'sk_test_variable' }

test('a secret is piped in or read from a variable', async () => {
  const piped = () => Readable.from(['sk_test_', 'piped\n'])
  expect(await readSecret({ fromStdin: true, stdin: piped(), env })).toBe('sk_test_piped\n')
  expect(await readSecret({ fromStdin: false, stdin: piped(), env })).toBe('sk_test_variable')
  expect(await readSecret({ fromStdin: false, stdin: piped(), env: {} })).toBeNull()
})

test('there is no prompt for it', async () => {
  const terminal = Object.assign(Readable.from([]), { isTTY: true })
  await expect(readSecret({ fromStdin: true, stdin: terminal, env })).rejects.toThrow('pipe the secret in')
})
