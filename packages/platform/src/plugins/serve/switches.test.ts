import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { soaks } from '../../../../../.ci/soaks.ts'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { dataIn, visit } from '../../../test/plugins/visit.ts'
import { sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const SWITCHES = soaks ? 200 : 40
const VISITORS = 4
describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test(`during ${SWITCHES} switches every page and file is there, and no page is of two versions`, async () => {
    const { call, local } = platform()
    const versions = new Map<string, string>()
    let pluginId: string | undefined
    for (const letter of ['A', 'B']) {
      const made = await deployPlugin(platform(), {
        manifest: { version: letter === 'A' ? '1.0.0' : '2.0.0', ...(pluginId !== undefined && { pluginId }) },
        inlineAssets: [
          {
            path: 'index.html',
            content: `<title>${letter}</title><script src="assets/app-${letter.repeat(8)}.js"></script>`,
          },
          { path: `assets/app-${letter.repeat(8)}.js`, content: letter },
        ],
      })
      pluginId = made.pluginId
      versions.set(made.id, letter)
    }
    const host = 'switched.example.com'
    const body = { pluginId: pluginId ?? '', storeId: local.storeId, hostname: host }
    await call(contract.plugins.promoteToCustomDomain, { body })

    let isSwitching = true
    const seen = new Map<string, number>()
    async function visitor() {
      while (isSwitching) {
        const page = await visit(platform(), { host })
        const letter = versions.get(String(dataIn(page.text)['deploymentId'])) ?? ''
        const [, file = ''] = /src="(assets\/[^"]+)"/.exec(page.text) ?? []
        expect([page.status, page.text.includes(`<title>${letter}</title>`), file]).toEqual([
          200,
          true,
          `assets/app-${letter.repeat(8)}.js`,
        ])
        const asset = await visit(platform(), { host, path: `/${file}` })
        expect([asset.status, asset.text]).toEqual([200, letter])
        seen.set(letter, (seen.get(letter) ?? 0) + 1)
      }
    }
    const visitors = Promise.all(Array.from({ length: VISITORS }, visitor))
    const ids = [...versions.keys()]
    for (let n = 0; n < SWITCHES; n++) {
      const deploymentId = ids[n % 2] ?? ''
      await call(contract.pluginManagement.activate, { params: { deploymentId } })
    }
    isSwitching = false
    await visitors
    expect([...seen.keys()].toSorted()).toEqual(['A', 'B'])
  })
})
