import { expect, test } from 'vitest'
import { matchPage } from './paths.ts'

const page = (id: string, path: string, isDefault = false) => ({ id, path, isDefault, remappable: false, features: [] })
const pages = [page('any', '/:what'), page('home', '/home', true), page('deep', '/a/:b/c'), page('two', '/a/b/:c')]

test.for<[string, string | null, Record<string, string>]>([
  ['/', 'home', {}],
  ['/home', 'home', {}],
  ['/home/', 'home', {}],
  ['/away', 'any', { what: 'away' }],
  ['/a/b/c', 'two', { c: 'c' }],
  ['/a/x/c', 'deep', { b: 'x' }],
  ['/a/x/y', null, {}],
  ['/a', 'any', { what: 'a' }],
])('%s leads to %s', ([path, id, params]) => {
  const matched = matchPage(pages, path)
  expect([matched?.page.id ?? null, matched?.params ?? {}]).toEqual([id, params])
})

test('a page with the path / is preferred over the default page', () => {
  expect(matchPage([...pages, page('root', '/')], '/')?.page.id).toBe('root')
})

test('a parameter may have the name of a built-in object property', () => {
  expect(matchPage([page('odd', '/:__proto__')], '/x')?.params).toEqual(Object.fromEntries([['__proto__', 'x']]))
})
