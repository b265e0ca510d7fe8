import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSettings, type MergeStrategy } from './merge.ts'

const strategies: readonly MergeStrategy[] = ['merge', 'theirs', 'ours', 'strict']
const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.array(fc.integer(), { maxLength: 3 }))
const name = fc.constantFrom('a', 'b', 'c', 'd/e', 'f~g')
const { settings } = fc.letrec<{ settings: Record<string, unknown> }>((tie) => ({
  settings: fc.dictionary(name, fc.oneof({ depthSize: 'small' }, leaf, tie('settings')), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}))
/** One half of the names is the author's to change, the other the merchant's. */
const disjoint = fc.record({ base: settings, author: settings, merchant: settings }).map((all) => ({
  base: all.base,
  theirs: { ...all.base, author: all.author },
  ours: { ...all.base, merchant: all.merchant },
}))

test('edits of different places are both kept, and are no conflict, whatever the strategy', () => {
  fc.assert(
    fc.property(disjoint, fc.constantFrom(...strategies), ({ base, theirs, ours }, strategy) => {
      const merged = mergeSettings({ base, theirs, ours }, strategy)
      expect(merged).toEqual({ live: { ...theirs, ...ours }, base: theirs, conflicts: [] })
    }),
  )
})

test('the same edit by both is no conflict', () => {
  fc.assert(
    fc.property(settings, settings, fc.constantFrom(...strategies), (base, edited, strategy) => {
      expect(mergeSettings({ base, theirs: edited, ours: edited }, strategy)).toEqual({
        live: edited,
        base: edited,
        conflicts: [],
      })
    }),
  )
})

test('what the merchant has not touched is as the author sends it, and the reverse', () => {
  fc.assert(
    fc.property(settings, settings, fc.constantFrom(...strategies), (base, edited, strategy) => {
      expect(mergeSettings({ base, theirs: edited, ours: base }, strategy).live).toEqual(edited)
      expect(mergeSettings({ base, theirs: base, ours: edited }, strategy).live).toEqual(edited)
    }),
  )
})

test('it does not matter whether the merchant edits before the author synchronises or after', () => {
  fc.assert(
    fc.property(disjoint, ({ base, theirs, ours }) => {
      const edit = (live: unknown) => ({ ...(live as object), merchant: ours.merchant })
      const before = mergeSettings({ base, theirs, ours: edit(base) }, 'merge').live
      const after = edit(mergeSettings({ base, theirs, ours: base }, 'merge').live)
      expect(before).toEqual(after)
    }),
  )
})

test('a conflict keeps the merchant’s value until it is decided', () => {
  fc.assert(
    fc.property(settings, settings, settings, (base, theirs, ours) => {
      const first = mergeSettings({ base, theirs, ours }, 'merge')
      const again = mergeSettings({ base: first.base, theirs, ours: first.live }, 'merge')
      expect(again).toEqual(first)
      const settled = mergeSettings({ base: first.base, theirs, ours: first.live }, 'ours')
      expect(settled.live).toEqual(first.live)
      expect(mergeSettings({ base: settled.base, theirs, ours: settled.live }, 'strict').conflicts).toEqual([])
      expect(mergeSettings({ base, theirs, ours }, 'theirs').conflicts).toEqual([])
    }),
  )
})

test('conflicts are told by JSON pointers, and lists are one value', () => {
  const base = { colour: 'red', size: { w: 1, 'a/b~c': 1 }, list: [1, 2], gone: 1, kept: 1 }
  const theirs = { colour: 'blue', size: { w: 2, 'a/b~c': 2 }, list: [1, 2, 3], kept: 1, made: 'author' }
  const ours = { colour: 'green', size: { w: 1, 'a/b~c': 3 }, list: [0, 1, 2], gone: 2, kept: 2, made: 'merchant' }
  expect(mergeSettings({ base, theirs, ours }, 'merge', '/presets/dark')).toEqual({
    live: { ...ours, size: { w: 2, 'a/b~c': 3 } },
    base: { colour: 'red', size: { w: 2, 'a/b~c': 1 }, list: [1, 2], gone: 1, kept: 1 },
    conflicts: [
      '/presets/dark/colour',
      '/presets/dark/size/a~1b~0c',
      '/presets/dark/list',
      '/presets/dark/made',
      '/presets/dark/gone',
    ],
  })
})

test('names of the language itself are names like others', () => {
  const theirs = JSON.parse('{"__proto__":{"x":1},"constructor":1}')
  const { live, conflicts } = mergeSettings({ base: {}, theirs, ours: { toString: 1 } }, 'merge')
  expect([JSON.stringify(live), conflicts]).toEqual(['{"__proto__":{"x":1},"constructor":1,"toString":1}', []])
})
