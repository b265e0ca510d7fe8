import { expect, test } from 'vitest'
import { sharesCookies, siteOf } from './site.ts'

test.for<[string, string]>([
  ['api.example.com', 'example.com'],
  ['a.b.example.co.uk', 'example.co.uk'],
  ['shop.github.io', 'shop.github.io'],
  ['github.io', 'github.io'],
  ['localhost', 'localhost'],
  ['a.plugins.localhost', 'plugins.localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '[::1]'],
])('the site of %s is %s', ([hostname, site]) => {
  expect(siteOf(hostname)).toBe(site)
})

test.for<[string, string]>([
  ['api.example.com', 'plugins.example.com'],
  ['api.example.com', 'plugins.api.example.com'],
  ['vault.example.com', 'vault.example.com'],
  ['vault.example.com', 'example.com'],
  ['api.shop.co.uk', 'plugins.shop.co.uk'],
  ['api.github.io', 'github.io'],
  ['localhost', 'localhost'],
])('pages below the second could set cookies for the first, or stand on it: %s, %s', ([hostname, pages]) => {
  expect(sharesCookies(hostname, pages)).toBe(true)
})

test.for<[string, string]>([
  ['api.example.com', 'plugins.example-pages.com'],
  ['api.example.com', 'example-pages.com'],
  ['api.one.github.io', 'two.github.io'],
  ['api.shop.co.uk', 'plugins.other.co.uk'],
  ['localhost', 'plugins.localhost'],
  ['127.0.0.1', 'plugins.localhost'],
])('pages below the second set no cookies for the first: %s, %s', ([hostname, pages]) => {
  expect(sharesCookies(hostname, pages)).toBe(false)
})
