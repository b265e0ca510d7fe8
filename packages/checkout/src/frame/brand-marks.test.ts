import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brandNames } from '@tillwright/contract/networks'

test('every brand has its mark in the document, and no mark is of an unheard-of brand', async () => {
  const html = await readFile(join(import.meta.dirname, 'card.html'), 'utf8')
  const marks = Array.from(html.matchAll(/<symbol id="(\w+)"/g), ([, id]) => id)
  expect(marks.toSorted()).toEqual(brandNames.toSorted())
})
