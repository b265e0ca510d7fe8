import fc from 'fast-check'
import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { assetPath, hostPath, hostPathOf, looseHostPath } from './paths.ts'

test.for(['index.html', 'assets/app.4f2a.js', '.well-known/x', 'a/[slug]/b c.js', 'ä/ß.css', '100%.txt', 'a..b/c'])(
  'an asset may have the path %s',
  (path) => {
    expect(assetPath.parse(path)).toBe(path)
  },
)

test.for([
  '',
  '/etc/passwd',
  '../x',
  'a/../../x',
  'a/..',
  '..',
  '.',
  './a',
  'a//b',
  'a/',
  'a\\..\\b',
  '\\\\server\\share',
  'C:/x',
  'C:x',
  'a\0b',
  'a\nb',
  '%2e%2e/x',
  'a/%2e%2e/%2e%2e/x',
  '..%2fx',
  '%2fetc/passwd',
  'a%00b',
  'a%5c..%5cb',
  'CON',
  'a/nul.txt',
  'a/LPT1',
  'trailing./x',
  'space /x',
  ' a',
  'a?b',
  'a*b',
  'a'.repeat(513),
])('an asset may not have the path %j', (path) => {
  expect(assetPath.safeParse(path).success).toBe(false)
})

test('every accepted path stays in its folder on every system, decoded or not', () => {
  const piece = fc.oneof(
    fc.constantFrom('..', '.', '', '/', '\\', '%2e', '%2E%2e', '%2f', '%5c', 'C:', 'a', 'b.js', '~', '\0', '%00', ' '),
    fc.string({ maxLength: 3 }),
  )
  const paths = fc.tuple(fc.array(piece, { maxLength: 8 }), fc.constantFrom('/', '')).map(([all, by]) => all.join(by))
  let accepted = 0
  fc.assert(
    fc.property(paths, (path) => {
      if (!assetPath.safeParse(path).success) return true
      accepted += 1
      return [path, decoded(path)].every(staysInside)
    }),
    { numRuns: 1_000 },
  )
  expect(accepted).toBeGreaterThan(20)
})

function staysInside(path: string): boolean {
  const onPosix = posix.resolve('/folder', path).startsWith('/folder/')
  const onWindows = win32.resolve('C:\\folder', path).startsWith('C:\\folder\\')
  return onPosix && onWindows && !/[\\\0]/.test(path)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

test.for(['/', '/checkout', '/orders/:id', '/a/b/', '/ä'])('a page may have the path %s', (path) => {
  expect(hostPath.parse(path)).toBe(path)
})

test.for([
  '',
  'checkout',
  '//evil.example',
  '/a//b',
  '/../a',
  '/a/..',
  '/%2e%2e/a',
  '/a\\b',
  '/a?b',
  '/a#b',
  '/a b',
  '/\0',
])('a page may not have the path %j', (path) => {
  expect(hostPath.safeParse(path).success).toBe(false)
})

test.for([
  ['', '/'],
  ['/', '/'],
  ['shop', '/shop'],
  ['/shop/', '/shop'],
  ['shop/eu/', '/shop/eu'],
])('the base path %j is read as %j', ([sent = '', read]) => {
  expect(hostPathOf(looseHostPath.parse(sent))).toBe(read)
})

test.for(['//', '//evil.example', 'a//b', '../a', '/a/../b', 'a b', 'a?b', '/a\\b', 'x'.repeat(513)])(
  'the base path %j is refused',
  (path) => {
    expect(looseHostPath.safeParse(path).success).toBe(false)
  },
)
