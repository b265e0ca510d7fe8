import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { advanceLocalTime, followLocalClock, localTime } from './local-clock.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const never = new AbortController().signal

async function folder(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'clock-'))
  onTestFinished(() => rm(home, { recursive: true }))
  return home
}

test('a running platform jumps, waits end, and the next start is as far ahead', async () => {
  const home = await folder()
  const config = { environment: 'local', home } as const
  const { clock, stop } = await followLocalClock({ environment: 'local', home })
  onTestFinished(stop)
  const renewal = clock.until(clock.now() + 31 * DAY_MS, never)
  expect(await advanceLocalTime(config, 30 * DAY_MS)).toMatchObject({ aheadMs: 30 * DAY_MS })
  expect(await advanceLocalTime(config, 2 * DAY_MS)).toMatchObject({ aheadMs: 32 * DAY_MS })
  await renewal
  expect(clock.now() - Date.now()).toBeGreaterThan(32 * DAY_MS - 1_000)
  const next = await followLocalClock({ environment: 'local', home })
  next.stop()
  expect(next.clock.now() - Date.now()).toBeGreaterThan(32 * DAY_MS - 1_000)
  expect((await localTime(config)).aheadMs).toBe(32 * DAY_MS)
})

test('a clock that was not moved, or whose file is damaged, is the machine’s own', async () => {
  const home = await folder()
  const config = { environment: 'local', home } as const
  expect((await localTime(config)).aheadMs).toBe(0)
  for (const content of ['', '{"aheadMs":-1}', '{"aheadMs":"9"}', 'null']) {
    await writeFile(join(home, 'clock.json'), content)
    expect((await localTime(config)).aheadMs, content).toBe(0)
  }
})

test('it is moved on a local platform alone, where there is one, and by a hundred years at most', async () => {
  const home = await folder()
  await expect(advanceLocalTime({ environment: 'production', home }, 1)).rejects.toThrow('"production"')
  await expect(localTime({ environment: 'development', home })).rejects.toThrow('"development"')
  const nowhere = { environment: 'local', home: join(home, 'none') } as const
  await expect(advanceLocalTime(nowhere, 1)).rejects.toThrow('no local platform')
  await expect(advanceLocalTime({ environment: 'local', home }, 101 * 365 * DAY_MS)).rejects.toThrow('hundred years')
})
