import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../test/test-platform.ts'

const platform = sharedPlatform()

test('the lines of the README make a payment with curl alone', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../../../README.md'), 'utf8')
  const lines = /```sh\n( *local_json\(\)[^`]+)```/.exec(readme)?.[1] ?? ''
  expect(lines).toContain('tok_visa')
  const { folder, announce } = platform()
  await announce(null)
  await symlink('.', join(folder, '.tillwright'))
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines], { cwd: folder })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'succeeded', amount: 4_098, currency: 'USD' })
})
