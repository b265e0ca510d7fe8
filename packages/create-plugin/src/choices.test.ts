import { NAME_MAX_CHARS as MAX_OF_CONTRACT } from '@tillwright/contract'
import { pluginNameOf, startPlugin } from '@tillwright/plugin-build'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idOf, NAME_MAX_CHARS, nameOf } from './choices.ts'

test('names and ids are those that `tillwright init` would give', async () => {
  expect(NAME_MAX_CHARS).toBe(MAX_OF_CONTRACT)
  const someName = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('Böckchen & Co', 'one-page_checkout', '株式'),
  )
  await fc.assert(
    fc.asyncProperty(someName, async (name) => {
      expect(idOf(name)).toBe((await startPlugin('/nowhere', { name })).pluginId)
      if (!name.includes('\0')) expect(nameOf(name)).toBe(pluginNameOf(name))
    }),
    { numRuns: 60 },
  )
})
