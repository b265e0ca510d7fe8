import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'

async function home(): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { TILLWRIGHT_HOME: folder }
}

test('the clock of the local platform is moved and shown', async () => {
  const env = await home()
  expect((await runCommand(['clock', 'show'], env)).out).toMatch(/^[-:.\dTZ]{24}, same as this machine\n$/)
  expect((await runCommand(['clock', 'advance', '32d'], env)).out).toContain(', 32 d ahead\n')
  expect((await runCommand(['clock', 'advance', '90m'], env)).out).toContain(', 32 d 1 h 30 min ahead\n')
  const shown = JSON.parse((await runCommand(['clock', 'show', '--json'], env)).out)
  expect(shown.aheadMs).toBe((32 * 24 * 60 + 90) * 60_000)
})

test('an invalid duration is refused', async () => {
  const env = await home()
  expect(await runCommand(['clock', 'advance', 'tomorrow'], env)).toMatchObject({
    code: 2,
    err: expect.stringContaining('like 32d, 2h, 15m'),
  })
})
