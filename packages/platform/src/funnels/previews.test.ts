import { expect, test } from 'vitest'
import { pickVariant } from './previews.ts'

const variants = [
  { id: 'a', name: 'A', weight: 3 },
  { id: 'b', name: 'B', weight: 1 },
  { id: 'never', name: 'Never', weight: 0 },
]

test('subjects are divided among the variants by weight', () => {
  const counts = new Map<string | null, number>()
  for (let i = 0; i < 4_000; i++) {
    const picked = pickVariant({ id: 'funnel_1', variants }, `fsn_${i}`)
    counts.set(picked, (counts.get(picked) ?? 0) + 1)
  }
  expect([...counts.keys()].toSorted()).toEqual(['a', 'b'])
  expect(Math.abs((counts.get('a') ?? 0) - 3_000)).toBeLessThan(150)
})

test('a subject keeps its variant of a funnel, whatever it drew in another', () => {
  const subjects = Array.from({ length: 50 }, (_, i) => `cus_${i}`)
  const drawn = (funnelId: string) => subjects.map((subject) => pickVariant({ id: funnelId, variants }, subject))
  expect(drawn('funnel_1')).toEqual(drawn('funnel_1'))
  expect(drawn('funnel_1')).not.toEqual(drawn('funnel_2'))
})

test('a funnel without variants has none to show', () => {
  expect(pickVariant({ id: 'funnel_1', variants: [] }, 'fsn_1')).toBeNull()
})
