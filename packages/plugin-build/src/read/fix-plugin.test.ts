import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pluginFolder, soundPlugin } from '../testing/plugin-folder.ts'
import { fixPlugin } from './fix-plugin.ts'
import { validatePlugin } from './validate-plugin.ts'

const broken = `{
    // who we are
    "name": "Café Shop",
    "version": "v2.1", /* soon */
    "mode": "spa_mode",
    "paegs": [
        { "id": "home", "path": "/", "remapable": true, },
        // { "id": "later", "path": "/later" },
    ]
}
`
const mended = `{
    "pluginId": "cafe-shop",
    // who we are
    "name": "Café Shop",
    "version": "2.1.0", /* soon */
    "mode": "spa-mode",
    "pages": [
        { "id": "home", "path": "/", "remapable": true }
        // { "id": "later", "path": "/later" },
    ]
}
`

/** Mends until nothing changes: what one fix brings to light, the next one mends. */
async function mendAll(root: string): Promise<number> {
  let runs = 0
  for (let left = (await validatePlugin(root)).fixable; left.length > 0; runs += 1) {
    for (const { path, text } of (await fixPlugin(root)).files) await writeFile(join(root, path), text)
    left = (await validatePlugin(root)).fixable
  }
  return runs
}

test('a fix keeps comments, order and indentation, and the plugin is valid once all is mended', async () => {
  const root = await pluginFolder({ 'plugin.manifest.json': `\uFEFF${broken}`, 'src/app.tsx': '' })
  const { files, fixed } = await fixPlugin(root)
  expect(files).toEqual([{ path: 'plugin.manifest.json', text: mended }])
  expect(fixed.map(({ code }) => code)).toContain('byte-order-mark')
  expect(await mendAll(root)).toBeLessThanOrEqual(3)
  expect(await validatePlugin(root)).toEqual({ valid: true, problems: [], fixable: [] })
})

test('what has more than one remedy is left alone', async () => {
  const root = await soundPlugin({ version: 'soon', shade: 1 })
  const { valid, problems, fixable } = await validatePlugin(root)
  expect({ valid, problems: problems.length, fixable }).toEqual({ valid: false, problems: 2, fixable: [] })
  expect(await fixPlugin(root)).toEqual({ files: [], fixed: [] })
})

test('two keys that may be meant for one are not both renamed', async () => {
  const root = await soundPlugin({ licence: 'MIT', lisense: 'MIT' })
  const [file] = (await fixPlugin(root)).files
  expect(file?.text.match(/"license"/g)).toHaveLength(1)
})
