import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { manualClock } from '../../packages/platform/src/runtime/clock.ts'
import { sharedPlatform } from '../../packages/platform/test/test-platform.ts'
import { pagesApart } from './pages-apart.ts'
import { readSnippets, shellToRun } from './read-snippets.ts'
import { runShell } from './run-shell.ts'
import { whatMerchantsHave, whatReadersHave } from './what-readers-have.ts'

// Takes turns with other long tests: that the commands, options and addresses exist is of every run, in snippets.test.ts.

/** Of today, as the clock of the commands is. */
const platform = sharedPlatform({ clock: manualClock(Date.now()) })
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillwright-snippets-'))
  await mkdir(join(folder, '.tillwright'))
  for (const home of [platform().folder, join(folder, '.tillwright')]) {
    await writeFile(join(home, 'local.json'), JSON.stringify(localFile()), { mode: 0o600 })
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The `local.json` that `tillwright start` would write for this test's platform. */
function localFile() {
  const { apiUrl, vaultUrl, local } = platform()
  return { ...local, apiUrl, vaultUrl, shopUrl: null, pid: process.pid }
}

test(
  'the shell snippets of pages that need no machine of their own do on a local platform what they say',
  { timeout: 900_000 },
  async () => {
    const { apiUrl, adminApiKey, storeId } = localFile()
    const { customers } = createClient({ apiKey: adminApiKey, baseUrl: apiUrl })
    const { id } = await customers.create({ storeId, email: 'ada@example.com' })
    const shop = createServer((_, response) => void response.end()).listen(0, '127.0.0.1')
    onTestFinished(() => void shop.close())
    await once(shop, 'listening')
    expect(
      await runShell(
        shellToRun(readSnippets()).filter(({ page }) => !(page in pagesApart)),
        {
          folder,
          variables: {
            TILLWRIGHT_HOME: platform().folder,
            TILLWRIGHT_API_URL: apiUrl,
            TILLWRIGHT_API_KEY: adminApiKey,
            CUSTOMER: id,
          },
          having: await whatReadersHave(platform(), id),
          havingOf: await whatMerchantsHave(platform(), onTestFinished),
          places: {
            'http://localhost:3000/webhooks': `http://127.0.0.1:${Object(shop.address()).port}/webhooks`,
            '/backups/tillwright': 'backups/tillwright',
          },
        },
      ),
    ).toEqual([])
  },
)
