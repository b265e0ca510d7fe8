import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { goingLive, onPage } from '../testing/diagnose-production.ts'

const page = join(import.meta.dirname, '../../../../apps/docs/pages/operating/going-live.md')

test('the page "Going live" lists the checks of which the tests prove each, and no others', async () => {
  const text = await readFile(page, 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| **'))
  const checks = (cell = '') =>
    cell
      .split('; ')
      .map((check) => check.trim())
      .filter(Boolean)
  const listed = rows.map((line) => {
    const [, area = '', fails, warns] = line.split('|')
    return [area.replaceAll('**', '').trim(), checks(fails), checks(warns)]
  })
  const proved = Object.entries(goingLive).map(([area, { fails, warns }]) => [
    area,
    Object.keys(fails),
    Object.keys(warns),
  ])
  expect(listed).toEqual(proved)
})

test('a finding that the page does not have, or has at another level, is noticed', () => {
  const finding = { what: 'several versions are at work', fix: 'finish the upgrade' }
  expect(() => onPage({ level: 'warn', ...finding })).toThrow('several versions are at work')
  const known = { what: 'processes of 2 versions are at work', fix: 'finish the upgrade' }
  expect(onPage({ level: 'warn', ...known })).toEqual(['Processes, warns: several versions'])
  expect(() => onPage({ level: 'fail', ...known })).toThrow('does not say that it fails')
})
