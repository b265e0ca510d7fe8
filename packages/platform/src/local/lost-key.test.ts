import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newInstrument } from '../../test/pay-with-card.ts'
import { startWithProcessors } from '../../test/processors/test-processors.ts'
import { startTestPlatform, testableEngines } from '../../test/test-platform.ts'
import { readConfig } from '../config.ts'
import { openOperator } from '../operator/operator.ts'

describe.each(testableEngines())('on %s', (engine) => {
  test.for([
    ['vault.key', 'cards', 'TILLWRIGHT_VAULT_KEY'],
    ['secrets.key', 'secrets', 'TILLWRIGHT_SECRETS_KEY'],
  ] as const)(
    'a lost %s is said before anything is written, and back in its place it serves',
    async ([file, what, setting]) => {
      const platform = await startTestPlatform({ engine })
      onTestFinished(() => platform.remove())
      await newInstrument(platform)
      await platform.stop()
      const aside = join(await mkdtemp(join(tmpdir(), 'lost-')), file)
      onTestFinished(() => rm(join(aside, '..'), { recursive: true }))
      await rename(join(platform.folder, file), aside)
      const before = await listed(platform.folder)
      const config = readConfig({ ...platform.settings, TILLWRIGHT_SEED: undefined })
      for (const start of [() => startWithProcessors(config, 'http://127.0.0.1:9', {}), () => openOperator(config)]) {
        const message = await start().then(String, String)
        expect(message).toContain(`${join(platform.folder, file)} is missing, and the ${what} of this database`)
        expect(message).toContain(`put the file back from its backup, or name the key in ${setting}`)
      }
      expect(existsSync(join(platform.folder, file))).toBe(false)
      expect(await listed(platform.folder)).toEqual(before)
      await rename(aside, join(platform.folder, file))
      await platform.restart()
    },
  )
})

/** The files that hold state, with sizes; the files that SQLite keeps next to an open database come and go. */
async function listed(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => !/-(wal|shm)$/.test(name)).toSorted()
  return Promise.all(names.map(async (name) => `${name} ${(await stat(join(folder, name))).mtimeMs}`))
}
