import { pathBelow, readPath } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { isContentHashed } from '../assets/find-file.ts'
import { readHost } from '../served-deployment.ts'
import { readRange } from './asset.ts'

test.for([
  ['/', '/'],
  ['/a/b.js?x=../..#y', '/a/b.js'],
  ['/a%20b', '/a b'],
  ['/u%CC%88', '/ü'],
  ['/100%25.png', '/100%.png'],
  ['/..%2e.txt', '/....txt'],
])('%s is the path %s', ([target, path]) => {
  expect(readPath(target ?? '')).toBe(path)
})

test.for([
  '/../etc/passwd',
  '/a/./b',
  '/%2e%2e/etc/passwd',
  '/a/%2E./b',
  '/a%2fb',
  '/a%5Cb',
  '/a\\b',
  '/%252e%252e%252fetc',
  '/a%255cb',
  '//evil.example/',
  '/a//b',
  '/a%00b',
  '/a%0d%0aSet-Cookie:%20x',
  '/%ff',
  '/%zz',
  'http://evil.example/',
  '*',
  '',
])('%j is no path of a deployment', (target) => {
  expect(readPath(target)).toBeNull()
})

test('a path lies below a base path by whole names', () => {
  expect(['/', '/shop', '/shop/pay', '/shopping', '/pay'].map((path) => pathBelow('/shop', path))).toEqual([
    null,
    '/',
    '/pay',
    null,
    null,
  ])
  expect(pathBelow('/', '/pay')).toBe('/pay')
})

test.for<[string | undefined, string | null]>([
  ['Shop.Example.COM', 'shop.example.com'],
  ['shop.example.com:4400', 'shop.example.com'],
  ['shop.example.com.:80', 'shop.example.com'],
  ['127.0.0.1:4400', null],
  ['[::1]:4400', null],
  ['shop.example.com:99999999', null],
  ['a b', null],
  ['shop_1.example.com', null],
  ['-a.example', null],
  ['a..example', null],
  ['evil.example/', null],
  ['evil.example@shop.example.com', null],
  [`${'a.'.repeat(130)}example`, null],
  ['', null],
  [undefined, null],
])('the host %j is the name %j', ([header, name]) => {
  expect(readHost(header)).toBe(name)
})

test.for([
  ['assets/app-QK2WMH3F.js', true],
  ['assets/app-QK2WMH3F.js.map', true],
  ['a/style.3f2a9c1b.css', true],
  ['logo.png', false],
  ['report-20240101.pdf', false],
  ['my-settings.js', false],
  ['lib-version2.js', false],
  ['lib-deadbeef.js', false],
  ['QK2WMH3F.js', false],
])('whether %s changes its name with its content: %s', ([path, expected]) => {
  expect(isContentHashed(String(path))).toBe(expected)
})

test.for([
  ['bytes=0-0', { outcome: 'part', start: 0, end: 0 }],
  ['BYTES=2-', { outcome: 'part', start: 2, end: 9 }],
  ['bytes=-99', { outcome: 'part', start: 0, end: 9 }],
  ['bytes=10-', { outcome: 'unsatisfiable' }],
  ['bytes=-0', { outcome: 'unsatisfiable' }],
  ['bytes=9-2', { outcome: 'whole' }],
  ['bytes=0-1,3-4', { outcome: 'whole' }],
  ['bytes=--5', { outcome: 'whole' }],
  ['bytes=-', { outcome: 'whole' }],
  ['bytes=1e3-', { outcome: 'whole' }],
  ['bytes=99999999999999999999-', { outcome: 'whole' }],
  ['items=0-1', { outcome: 'whole' }],
  ['', { outcome: 'whole' }],
] as const)('of ten bytes %j wants %j', ([header, wanted]) => {
  expect(readRange(header, 10)).toEqual(wanted)
})

test('nothing of a file without bytes can be had in part', () => {
  expect(readRange('bytes=0-', 0)).toEqual({ outcome: 'unsatisfiable' })
})
