import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { contractTable } from '../contract-table.ts'
import { texts } from '../src/shell/texts/en.ts'

const pages = new URL('../src/pages/', import.meta.url)

/** The lists that have a page of their own, such as `payments.list`. */
async function listsOfPages(): Promise<string[]> {
  const files = (await readdir(pages, { recursive: true })).filter((name) => name.endsWith('.tsx'))
  const sources = await Promise.all(files.map((name) => readFile(new URL(name, pages), 'utf8')))
  return sources.flatMap((source) => [...source.matchAll(/<ListPage\s+list="([\w.]+)"/g)].map(([, list]) => list ?? ''))
}

test('every filter of a list, and every value that it offers, has words', async () => {
  const operations = contractTable()
  const lists = await listsOfPages()
  expect(lists).toContain('payments.list')
  const filters = lists.flatMap((list) => {
    const [group = '', name = ''] = list.split('.')
    return Object.entries(operations[group]?.[name]?.filters ?? {})
  })
  const keys = filters.flatMap(([name, field]) => [
    `filter.${name}`,
    ...(field.type === 'choice' ? field.values : []).map((value) =>
      value === 'true' || value === 'false' ? `filter.${value}` : `status.${value}`,
    ),
  ])
  expect(keys.filter((key) => !(key in texts))).toEqual([])
})
