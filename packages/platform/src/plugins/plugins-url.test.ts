import { expect, test } from 'vitest'
import { pluginsUrlOf } from './addresses.ts'

test.for([
  ['http://localhost:4400', 'http://plugins.localhost:4400'],
  ['http://127.0.0.1:4400', 'http://plugins.localhost:4400'],
  ['http://[::1]:4400', 'http://plugins.localhost:4400'],
  ['http://tillwright.test:4400', 'http://plugins.localhost:4400'],
])('beside the API at %s the plugins are at %s', ([apiUrl = '', pluginsUrl]) => {
  expect(pluginsUrlOf(apiUrl)).toBe(pluginsUrl)
})
