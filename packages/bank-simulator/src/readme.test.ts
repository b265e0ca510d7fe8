import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('the example of the README starts a platform and prints what its comment says', async () => {
  const home = await mkdtemp(join(tmpdir(), 'readme-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const [, code = ''] = /```js\n(.*?)```/s.exec(readme) ?? []
  const [, expected] = /console\.log\(.*\) \/\/ (.*)/.exec(code) ?? []
  const own = code.replace("'.tillwright'", JSON.stringify(home))
  // The command line has both packages installed.
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', own], {
    cwd: join(root, '../cli'),
  })
  expect(stdout.split('\n')).toContain(expected)
})
