import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pluginFolder, soundPlugin } from '../../test/plugin-folder.ts'
import { fixPlugin } from './fixes.ts'
import { readPlugin } from './plugin.ts'

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
const fixedText = `{
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

/** Fixes repeatedly until nothing changes: one fix may reveal the next problem. */
async function fixAll(root: string): Promise<number> {
  let runs = 0
  for (let left = (await readPlugin(root)).fixable; left.length > 0; runs += 1) {
    for (const { path, text } of (await fixPlugin(root)).files) await writeFile(join(root, path), text)
    left = (await readPlugin(root)).fixable
  }
  return runs
}

test('a fix keeps comments, order and indentation, and the plugin is valid once everything is fixed', async () => {
  const root = await pluginFolder({ 'plugin.manifest.json': `\uFEFF${broken}`, 'src/app.tsx': '' })
  const { files, fixed } = await fixPlugin(root)
  expect(files).toEqual([{ path: 'plugin.manifest.json', text: fixedText }])
  expect(fixed.map(({ code }) => code)).toContain('byte-order-mark')
  expect(await fixAll(root)).toBeLessThanOrEqual(3)
  expect(await readPlugin(root)).toMatchObject({ problems: [], fixable: [] })
})

test('a problem with more than one possible fix is left alone', async () => {
  const root = await soundPlugin({ version: 'soon', shade: 1 })
  const { plugin, problems, fixable } = await readPlugin(root)
  expect({ plugin, problems: problems.length, fixable }).toEqual({ plugin: null, problems: 2, fixable: [] })
  expect(await fixPlugin(root)).toEqual({ files: [], fixed: [] })
})

test('if two keys may be misspellings of the same key, neither is renamed', async () => {
  const root = await soundPlugin({ licence: 'MIT', lisense: 'MIT' })
  const [file] = (await fixPlugin(root)).files
  expect(file?.text.match(/"license"/g)).toHaveLength(1)
})

test('misspelt settings, choices and fields of a form are fixed in the files that hold them', async () => {
  const root = await soundPlugin(
    {
      configuration: {
        schema: 'config/schema.json',
        uiSchema: { 'ui:groups': [{ title: 'Looks', fields: ['theem'] }], them: { 'ui:widgte': 'radio' } },
        presets: { day: 'config/day.json', night: { theme: 'darck', acent: '#000' } },
        defaultPreset: 'dya',
      },
    },
    {
      'config/schema.json': JSON.stringify({
        type: 'object',
        required: ['theme'],
        properties: { theme: { enum: ['light', 'dark'] }, accent: { type: 'string', default: '#fff' } },
      }),
      'config/day.json': '{\n  "theem": "light" // ours\n}\n',
    },
  )
  const before = await readPlugin(root)
  expect(before.problems.map(({ file, pointer, severity, fix }) => [file, pointer, severity, fix])).toEqual(
    expect.arrayContaining([
      ['config/day.json', '/theem', 'error', 'Did you mean "theme"?'],
      ['plugin.manifest.json', '/configuration/presets/night/acent', 'warning', 'Did you mean "accent"?'],
    ]),
  )
  expect(before.fixable).toEqual(before.problems)
  expect(await fixAll(root)).toBeLessThanOrEqual(3)
  expect(await readPlugin(root)).toMatchObject({ problems: [], fixable: [] })
  expect(await readFile(join(root, 'config/day.json'), 'utf8')).toBe('{\n  "theme": "light" // ours\n}\n')
})
