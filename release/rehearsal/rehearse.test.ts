import { expect, test } from 'vitest'
import { inSoak } from '../../.ci/soaks.ts'
import { rehearse, tableOf } from './rehearse.ts'

// In `npm test` the newcomer's flow installs the same packages with npm, and pays.
test.each(inSoak)(
  'a release works for every package manager, Node and framework, from an empty home on',
  { timeout: 3_600_000 },
  async () => {
    const results = await rehearse([], () => {})
    console.log(tableOf(results))
    expect(results.filter(({ problem }) => problem !== null)).toEqual([])
  },
)

test('the table has a column for each manager and Node that was tried, and says what fails', () => {
  const tried = { task: 'server client', node: '26' } as const
  const table = tableOf([
    { ...tried, manager: 'npm', problem: null },
    { ...tried, manager: 'bun', problem: 'It ended with 1.' },
    { task: 'tillwright start', node: '22', manager: 'npm', problem: null },
  ])
  const rows = table.split('\n').map((row) =>
    row
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  )
  expect(rows).toEqual([
    ['', 'npm, Node 22', 'npm, Node 26', 'bun, Node 26'],
    ['---', '---', '---', '---'],
    ['tillwright start', 'works', '', ''],
    ['server client', '', 'works', 'FAILS'],
    [],
  ])
})
