import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PoolTask } from '../../test/runtime/pool-body.ts'
import { type PoolLimits, TaskStopped, workerPool } from './worker-pool.ts'

const body = new URL('../../test/runtime/pool-body', import.meta.url)

function open(limits: Partial<PoolLimits> = {}) {
  const pool = workerPool<PoolTask, number | readonly string[]>(body, {
    threads: 2,
    taskMs: 60_000,
    heapMb: 64,
    waiting: 8,
    ...limits,
  })
  onTestFinished(() => pool.close())
  return pool
}

const answer = (value: number): PoolTask => ({ do: 'answer', value })

test('subjects take turns, however many tasks one of them has', async () => {
  const pool = open({ threads: 1 })
  const order: string[] = []
  const run = (subject: string, value: number) =>
    pool.run(subject, answer(value)).then(() => void order.push(`${subject}${value}`))
  await Promise.all([run('a', 1), run('a', 2), run('a', 3), run('a', 4), run('b', 1), run('b', 2), run('c', 1)])
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('one subject has one thread at most, so that another one finds one', async () => {
  const pool = open()
  const spinning = pool.run('a', { do: 'spin', ms: 60_000 }).catch(() => null)
  const next = pool.run('a', answer(1)).catch(() => null)
  expect(await pool.run('b', answer(2))).toBe(2)
  await pool.close()
  void Promise.all([spinning, next])
})

test('a subject with too many tasks waiting is refused, and no other one is', async () => {
  const pool = open({ threads: 1, waiting: 2 })
  const all = Array.from({ length: 4 }, (_, value) => pool.run('a', answer(value)).catch((error: unknown) => error))
  const others = pool.run('b', answer(9))
  const [first, second, third, fourth] = await Promise.all(all)
  expect([first, second, third]).toEqual([0, 1, 2])
  expect(fourth).toBeInstanceOf(TaskStopped)
  expect(fourth).toMatchObject({ reason: 'crowded' })
  expect(await others).toBe(9)
})

test('a task that takes longer than it may is stopped, and the next one has a thread again', async () => {
  const pool = open({ threads: 1, taskMs: 100 })
  const stopped = pool.run('a', { do: 'spin', ms: 600_000 })
  const next = pool.run('a', answer(1))
  await expect(stopped).rejects.toMatchObject({ name: 'TaskStopped', reason: 'time' })
  expect(await next).toBe(1)
})

test('a task that takes more memory than it may is stopped, and the next one has a thread again', async () => {
  const pool = open({ threads: 1, heapMb: 16 })
  const stopped = pool.run('a', { do: 'hoard' })
  const next = pool.run('b', answer(1))
  await expect(stopped).rejects.toMatchObject({ name: 'TaskStopped', reason: 'memory' })
  expect(await next).toBe(1)
})

test('a thread without a task ends after a while, and the next task has one again', async () => {
  const pool = open({ threads: 1, idleMs: 1 })
  const ids = new Set<number>()
  const once = async () => void ids.add(Number(await pool.run('a', { do: 'thread' })))
  await vi.waitFor(async () => {
    await once()
    expect(ids.size).toBeGreaterThan(1)
  })
})

test('what a task throws is thrown to its caller, and the thread goes on', async () => {
  const pool = open({ threads: 1 })
  await expect(pool.run('a', { do: 'throw', message: 'no such thing' })).rejects.toThrow('no such thing')
  expect(await pool.run('a', answer(1))).toBe(1)
})

test.for([
  ['with a compile cache', join(tmpdir(), 'compiled'), ['NODE_COMPILE_CACHE']],
  ['without one', undefined, []],
] as const)('a thread of a process %s knows nothing else of its environment', async ([, folder, known]) => {
  vi.stubEnv('NODE_COMPILE_CACHE', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await open().run('a', { do: 'environment' })).toEqual(known)
})

test('a body that there is not fails its task, not the process', async () => {
  const pool = workerPool<PoolTask, number>(new URL('../ambient/testing/no-such-body', import.meta.url), {
    threads: 1,
    taskMs: 1_000,
    heapMb: 16,
    waiting: 1,
  })
  onTestFinished(() => pool.close())
  await expect(pool.run('a', answer(1))).rejects.toThrow('no-such-body')
})
