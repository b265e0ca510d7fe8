import { expect, test } from 'vitest'
import { funnelUpdate, newFunnel } from './funnels.ts'

const step = { type: 'checkout', name: 'Checkout', path: '/checkout' }
const funnel = { storeId: 'store_1', name: 'Funnel', steps: [step] }

test('a funnel needs a store, a name and one step; the rest has defaults', () => {
  expect(newFunnel.parse(funnel)).toEqual({
    ...funnel,
    active: true,
    steps: [{ ...step, pluginId: null, pageId: null, settings: {}, offer: null, previewOnly: false }],
    variants: [],
  })
})

test('every field of an update is optional and has no default', () => {
  expect(funnelUpdate.parse({})).toEqual({})
})

test.for(['/', '/a', '/a/b', '/A-1_~.x', '/a/b.html'])('a step may have the path %s', (path) => {
  expect(newFunnel.safeParse({ ...funnel, steps: [{ ...step, path }] }).success).toBe(true)
})

test.for([
  ['no steps', { steps: [] }, 'steps'],
  ['51 steps', { steps: Array.from({ length: 51 }, (_, i) => ({ ...step, path: `/${i}` })) }, 'steps'],
  ['no name', { name: '' }, 'name'],
  [
    'two entries',
    {
      steps: [
        { ...step, isEntry: true },
        { ...step, path: '/b', isEntry: true },
      ],
    },
    'steps.1.isEntry',
  ],
  [
    'a duplicate id',
    {
      steps: [
        { ...step, id: 'a' },
        { ...step, id: 'a', path: '/b' },
      ],
    },
    'steps.1.id',
  ],
  ['a duplicate path', { steps: [step, step] }, 'steps.1.path'],
  ['a type with capitals', { steps: [{ ...step, type: 'Checkout' }] }, 'steps.0.type'],
  ['a type of 65 letters', { steps: [{ ...step, type: 'x'.repeat(65) }] }, 'steps.0.type'],
  ['a relative path', { steps: [{ ...step, path: 'a' }] }, 'steps.0.path'],
  ['a trailing slash', { steps: [{ ...step, path: '/a/' }] }, 'steps.0.path'],
  ['an empty path segment', { steps: [{ ...step, path: '//a' }] }, 'steps.0.path'],
  ['a path with ".."', { steps: [{ ...step, path: '/a/../b' }] }, 'steps.0.path'],
  ['a query in a path', { steps: [{ ...step, path: '/a?b' }] }, 'steps.0.path'],
  ['settings given as a list', { steps: [{ ...step, settings: [] }] }, 'steps.0.settings'],
  [
    'a duplicate variant id',
    {
      variants: [
        { id: 'a', name: 'A' },
        { id: 'a', name: 'B' },
      ],
    },
    'variants.1.id',
  ],
  ['a negative weight', { variants: [{ name: 'A', weight: -1 }] }, 'variants.0.weight'],
  ['21 variants', { variants: Array(21).fill({ name: 'A' }) }, 'variants'],
] as const)('a funnel with %s is refused on create and update', ([, change, path]) => {
  for (const result of [newFunnel.safeParse({ ...funnel, ...change }), funnelUpdate.safeParse(change)]) {
    expect(result.error?.issues.map((issue) => issue.path.join('.'))).toContain(path)
  }
})
