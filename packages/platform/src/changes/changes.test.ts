import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changed, mergePatch } from './changes.ts'

test.for<[target: object, patch: Record<string, unknown>, result: object]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('RFC 7396, appendix A: %j with %j is %j', ([target, patch, result]) => {
  expect(mergePatch(target, patch)).toEqual(result)
})

test('the merge patch of the introduction of RFC 7396 gives what it says', () => {
  const target = {
    title: 'Goodbye!',
    author: { givenName: 'John', familyName: 'Doe' },
    tags: ['example', 'sample'],
    content: 'This will be unchanged',
  }
  const patch = {
    title: 'Hello!',
    phoneNumber: '+01-123-456-7890',
    author: { familyName: null },
    tags: ['example'],
  }
  expect(mergePatch(target, patch)).toEqual({
    title: 'Hello!',
    author: { givenName: 'John' },
    tags: ['example'],
    content: 'This will be unchanged',
    phoneNumber: '+01-123-456-7890',
  })
})

/** Section 2 of the RFC, as its pseudocode has it. */
function pseudocode(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = pseudocode(result[name], value)
  }
  return result
}

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, '', 'x'),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'toString'), tie('value'), { noNullPrototype: true }),
}))
const object = json.object.map((value) => Object(value))

test('any merge patch gives what the pseudocode of RFC 7396 gives, and a second time changes nothing', () => {
  fc.assert(
    fc.property(json.value, object, (target, patch) => {
      const merged = mergePatch(target, patch)
      expect(merged).toEqual(pseudocode(target, patch))
      expect(mergePatch(merged, patch)).toEqual(merged)
    }),
  )
})

test('names of the language itself are names like others', () => {
  const merged = mergePatch(JSON.parse('{"constructor":1}'), JSON.parse('{"__proto__":{"x":1},"constructor":null}'))
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"x":1}}')
})

const current = { id: 'a', name: 'Mug', note: null, tags: { x: 1, y: 2 }, revision: 3, updatedAt: 'then' }
const change = (sent: object, ifMatch?: string) =>
  changed({ what: 'mug', current, sent }, { nowMs: 0, ...(ifMatch !== undefined && { ifMatch }) })

test('a change has the next revision, the time, and the names of what differs', () => {
  expect(change({ revision: 3, name: 'Cup', note: null, tags: { x: null } })).toEqual({
    resource: { id: 'a', name: 'Cup', note: null, tags: { y: 2 }, revision: 4, updatedAt: '1970-01-01T00:00:00.000Z' },
    fields: ['name', 'tags'],
  })
})

test.for<[what: string, sent: object, ifMatch: string | undefined]>([
  ['nothing', { revision: 3 }, undefined],
  ['what is there already', { revision: 3, name: 'Mug', tags: { y: 2 } }, undefined],
  ['null of what is null', { note: null }, '"3"'],
  ['undefined', { name: undefined }, 'W/"3"'],
  ['what is there already, with the tag of a read', { name: 'Mug' }, '"3-n4bQgYhMfWWaL-qgxVrQFa"'],
])('a change to %s is none', ([, sent, ifMatch]) => {
  expect(change(sent, ifMatch)).toBeNull()
})

test.for<[what: string, sent: object, ifMatch: string | undefined, error: object]>([
  ['no revision', {}, undefined, { code: 'parameter_missing', details: { param: 'revision' } }],
  ['two revisions', { revision: 3 }, '"4"', { code: 'parameter_invalid', details: { param: 'revision' } }],
  ['no entity tag', {}, '3', { code: 'parameter_invalid', details: { param: 'If-Match' } }],
  ['the tag of another site', {}, '"3-1"', { code: 'parameter_invalid', details: { param: 'If-Match' } }],
  ['any entity tag', { revision: 3 }, '*', { code: 'parameter_invalid', details: { param: 'If-Match' } }],
  [
    'an old revision',
    { name: 'Cup' },
    '"2"',
    {
      code: 'revision_conflict',
      details: { param: 'revision', conflict: { expectedRevision: 2, currentRevision: 3, current } },
    },
  ],
])('a change with %s is refused', ([, sent, ifMatch, error]) => {
  expect(() => change(sent, ifMatch)).toThrow(expect.objectContaining(error))
})
