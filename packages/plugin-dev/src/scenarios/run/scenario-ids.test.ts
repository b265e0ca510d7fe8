import { expect, test } from 'vitest'
import { scenarioIds } from './scenario-ids.ts'

const idsOf = (...names: string[]) => scenarioIds(names.map((name) => ({ name })))

test('an id is what a name has of letters and digits, and no two scenarios have the same', () => {
  expect(idsOf('Card is charged', 'Überweisung, 2', 'Card: is charged!', '日本')).toEqual([
    'card-is-charged',
    'uberweisung-2',
    'card-is-charged-3',
    'scenario-4',
  ])
})

test('an id is short enough for a file, however long a name is', () => {
  expect(idsOf('a '.repeat(50))[0]?.length).toBeLessThanOrEqual(60)
})
