import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { dice } from './machine/dice.ts'
import { Host } from './machine/host.ts'
import { scheduler } from './machine/scheduler.ts'
import { type Plan, planOf } from './plan.ts'
import { plantedBugs } from './planted/bugs.ts'
import { docsPage, rowsOf } from './planted/finds.ts'
import { planted, sources } from './planted/plant.ts'
import type { Result } from './run-seed.ts'
import { runWorlds } from './run-worlds.ts'
import { shrink } from './shrink.ts'
import { timelineOf } from './timeline.ts'
import { eventFaults, messageFaults } from './world/faults.ts'

const SEEDS = soaks ? 10_000 : 20

test.concurrent(
  `nothing is lost, charged twice or left waiting in ${SEEDS} worlds`,
  { timeout: soaks ? 36_000_000 : 600_000 },
  async () => {
    const { code, output } = await runWorlds(['--seeds', String(SEEDS)])
    process.stdout.write(output)
    expect(code, output).toBe(0)
  },
)

test.concurrent(
  'a seed gives the same bytes of log again, in the same process and in another',
  { timeout: 600_000 },
  async () => {
    const [first, second] = await Promise.all([runWorlds(['--seeds', '2', '--twice']), runWorlds(['--seeds', '2'])])
    expect(first.code, first.output).toBe(0)
    const logs = /all logs ([0-9a-f]{64})/
    expect(logs.exec(first.output)?.[1]).toBeDefined()
    expect(logs.exec(first.output)?.[1]).toBe(logs.exec(second.output)?.[1])
  },
)

test.concurrent(
  'a processor whose time-out is treated as a decline is noticed, and the command that shows it is printed',
  { timeout: 600_000 },
  async () => {
    const { code, output } = await runWorlds(['--plant', 'a time-out is treated as a decline', '--seeds', '50'])
    expect(code).toBe(1)
    expect(output).toMatch(/FAILED: seed \d+/)
    expect(output).toMatch(/--seed \d+ --plant "a time-out is treated as a decline" .*--html seed-\d+\.html/)
  },
)

test.each(plantedBugs)('there is a place for the bug: $name', (bug) => {
  const text = readFileSync(new URL(bug.file, sources), 'utf8')
  expect(planted(bug, text)).not.toBe(text)
})

test('the page of the docs has a row for each planted bug and for each fault', () => {
  const rows = rowsOf(readFileSync(docsPage, 'utf8'))
  expect(rows.bugs).toEqual(plantedBugs.map(({ name }) => name))
  expect(rows.faults).toEqual([...Object.keys(messageFaults), ...Object.keys(eventFaults)])
})

test('steps happen in the order of their times, and those of one moment in an order that the seed decides', () => {
  const orderOf = (seed: string): string[] => {
    const time = scheduler(0, dice(seed))
    const happened: string[] = []
    for (const label of ['a', 'b', 'c', 'd', 'e', 'f']) time.after(5, label, () => happened.push(label))
    time.after(1, 'first', () => happened.push('first'))
    for (let step = time.next(10); step !== null; step = time.next(10)) step.run()
    return happened
  }
  expect(orderOf('1')[0]).toBe('first')
  expect(orderOf('1')).toEqual(orderOf('1'))
  expect(orderOf('1').toSorted()).toEqual(orderOf('2').toSorted())
  expect(new Set(['1', '2', '3', '4'].map((seed) => orderOf(seed).join(''))).size).toBeGreaterThan(1)
})

test('what came due while a process was paused can still be canceled before it goes on', () => {
  const time = scheduler(0, dice('1'))
  const host = new Host('api-1', { scheduler: time, dice: dice('2') }, { skewMs: 0, rate: 1 })
  const happened: string[] = []
  host.pause(5)
  const canceled = host.after(1, 'canceled', () => happened.push('canceled'))
  host.after(1, 'kept', () => happened.push('kept'))
  time.after(3, 'somebody cancels', () => void (canceled.isCanceled = true))
  for (let step = time.next(10); step !== null; step = time.next(10)) step.run()
  expect(happened).toEqual(['kept'])
})

const resultOf = (plan: Plan, problems: string[]): Result => ({
  seed: plan.seed,
  problems,
  hash: '',
  steps: 0,
  worldMs: 0,
  realMs: 0,
  counts: new Map(),
  lines: [{ atMs: Date.UTC(2030, 0, 7, 9), who: 'buyer-1', what: 'GET /<b> -> 200' }],
})

test('a failing world is made smaller for as long as the same invariant fails', async () => {
  const plan = { ...planOf('7'), buyers: 8, operators: 2, month: true }
  const run = async (smaller: Plan) => resultOf(smaller, smaller.buyers >= 3 ? ['money: wrong'] : ['waiting: wrong'])
  const { plan: smallest } = await shrink({ plan, result: resultOf(plan, ['money: wrong']) }, run)
  expect(smallest).toMatchObject({ buyers: 3, operators: 0, hurriers: 0, month: false, events: [], processes: 1 })
})

test('a timeline has a lane for everybody, and shows texts as texts', () => {
  const page = timelineOf(resultOf(planOf('1'), ['money: wrong']), planOf('1'))
  expect(page).toContain('<th>buyer-1</th>')
  expect(page).toContain('GET /&lt;b&gt;')
})
