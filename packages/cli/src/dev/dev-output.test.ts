import { execFileSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import type { DevEvent } from '@tillwright/plugin-dev'
import { expect, test } from 'vitest'
import { showDevEvent, wrap } from './dev-output.ts'

const problem = {
  code: 'unresolved-import',
  severity: 'error',
  file: 'src/pages/checkout.tsx',
  line: 12,
  column: 3,
  pointer: null,
  rule: 'Failed to resolve import "../../components/a-folder/that-is-long/and-a-name.tsx" of a module.',
  fix: 'Correct the path, or install the package that it names, and then save the file once more.',
  excerpt: [
    { line: 11, text: 'const a = 1' },
    { line: 12, text: "  import { something } from '../../components/a-folder/that-is-long/and-a-name.tsx'" },
  ],
} as const

const events: DevEvent[] = [
  {
    type: 'ready',
    url: 'http://localhost:5181',
    networkUrls: ['https://192.0.2.1:5181'],
    movedFrom: 5180,
    tookMs: 812,
  },
  { type: 'session', sessionId: `fsn_${'0'.repeat(22)}`, stepId: 'step-checkout', scenario: 'A name of some length' },
  { type: 'problems', problems: [problem] },
  { type: 'platform', state: 'gone', apiUrl: 'http://localhost:4400' },
  { type: 'notice', message: 'The cart is empty, so that there is nothing to pay and nowhere to go on to from here.' },
]

test('events are shown in lines of at most 80 columns, wrapped below each other', () => {
  const lines = events.flatMap((event) => stripVTControlCharacters(showDevEvent(event)).split('\n'))
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  expect(lines).toEqual(
    expect.arrayContaining(['note     Port 5180 is taken; using 5181 instead.', 'page     http://localhost:5181/']),
  )
  const shown = lines.slice(lines.indexOf('error    src/pages/checkout.tsx:12:3'))
  expect(shown[1]).toMatch(/^ {9}Failed to resolve import/)
  expect(shown[3]).toMatch(/^ {9}12 {3}import \{ something \} from /)
  expect(shown[4]).toBe(`${' '.repeat(14)}^`)
})

test('with NO_COLOR nothing is coloured, whatever other variables are set', () => {
  const show = new URL('dev-output.ts', import.meta.url).href
  const script = `import(${JSON.stringify(show)}).then((it) => process.stdout.write(it.showDevEvent(${JSON.stringify(events[2])})))`
  const printed = (env: Record<string, string>) =>
    execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' })
  expect(printed({ FORCE_COLOR: '1' })).toContain('\u001B[31m')
  expect(printed({ FORCE_COLOR: '1', NO_COLOR: '1' })).toMatch(/^error {4}src/)
})

test('text is wrapped between words and indented, and colour codes have no width', () => {
  const text = `${'word '.repeat(15)}\u001B[1mlast\u001B[22m end`
  expect(wrap(text, 2)).toBe(`${'word '.repeat(15).trim()}\n  \u001B[1mlast\u001B[22m end`)
})

test('a word longer than a line is not broken, so that it can be copied', () => {
  const place = `src/${'a'.repeat(90)}.tsx:1:1`
  expect(wrap(`At ${place} it ends.`, 0)).toBe(`At\n${place}\nit ends.`)
})
