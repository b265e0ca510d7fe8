import { expect, test } from 'vitest'
import { seededRandomness } from '../runtime/randomness.ts'
import { deploymentUrl, newHostLabel, pluginsUrlOf } from './addresses.ts'

test('a label of a host is 26 lower-case characters, each time others', () => {
  const randomness = seededRandomness('hosts')
  const labels = Array.from({ length: 500 }, () => newHostLabel(randomness))
  for (const label of labels) expect(label).toMatch(/^[a-z2-7]{26}$/)
  expect(new Set(labels).size).toBe(500)
  expect(new Set(labels.join('')).size).toBe(32)
})

test('a deployment has a host of its own under that of the plugins, with its port', () => {
  expect(deploymentUrl('abc', 'http://plugins.localhost:4400')).toBe('http://abc.plugins.localhost:4400')
  expect(deploymentUrl('abc', 'https://plugins.example.com/')).toBe('https://abc.plugins.example.com')
})

test.for([
  ['http://localhost:4400', 'http://plugins.localhost:4400'],
  ['http://127.0.0.1:4400', 'http://plugins.localhost:4400'],
  ['http://[::1]:4400', 'http://plugins.localhost:4400'],
  ['http://tillwright.test:4400', 'http://plugins.localhost:4400'],
])('next to the API at %s the plugins are at %s', ([apiUrl = '', pluginsUrl]) => {
  expect(pluginsUrlOf(apiUrl)).toBe(pluginsUrl)
})
