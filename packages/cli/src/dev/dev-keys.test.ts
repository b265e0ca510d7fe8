import { stripVTControlCharacters } from 'node:util'
import type { DevServer, Scenario } from '@tillwright/plugin-dev'
import { expect, test } from 'vitest'
import { act, actionOf, keysHelp } from './dev-command.ts'

test('keys do what the terminal says they do', () => {
  expect(['r', 'n', 'c', 'q', '\u0003', '1', '9', '0', 'x'].map(actionOf)).toEqual([
    'restart',
    'next',
    'console',
    'quit',
    'quit',
    { scenario: 0 },
    { scenario: 8 },
    null,
    null,
  ])
  const help = stripVTControlCharacters(keysHelp([{ name: 'First' }, { name: 'Second' }]))
  for (const part of ['r restart session', 'n next step', '1 First', '2 Second']) expect(help).toContain(part)
})

test('a key acts on the server, and a failure is reported without ending it', async () => {
  const done: string[] = []
  const scenarios: Scenario[] = [{ name: 'First' }]
  const dev: DevServer = {
    url: 'http://localhost:5180',
    networkUrls: [],
    scenarios: () => scenarios,
    restart: async (scenario) => void done.push(`restart ${scenario?.name ?? 'the same'}`),
    next: () => Promise.reject(new Error('the cart is empty')),
    settled: async () => {},
    stop: async () => {},
  }
  const targets = {
    dev,
    print: (text: string) => void done.push(stripVTControlCharacters(text)),
    consoleUrl: async () => 'http://localhost:4400/console/plugins/shop',
    open: (url: string) => void done.push(`open ${url}`),
    quit: () => void done.push('quit'),
  }
  for (const key of ['r', '1', '2', 'n', 'c', 'q', 'x']) await act(actionOf(key), targets)
  expect(done).toEqual([
    'restart the same',
    'restart First',
    'note     the cart is empty\n',
    'console  http://localhost:4400/console/plugins/shop\n',
    'open http://localhost:4400/console/plugins/shop',
    'quit',
  ])
})
