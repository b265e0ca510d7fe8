import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('the example of the README prints what its comments say', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, code = ''] = /```js [^\n]*\n(.*?)```/s.exec(readme) ?? []
  const expected = [...code.matchAll(/console\.log\(.*\) \/\/ (.*)/g)].map(([, text]) => text)
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root })
  expect(String(stderr)).toBe('')
  expect(String(stdout).trim().split('\n')).toEqual(expected)
})
