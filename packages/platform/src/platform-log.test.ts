import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPlatformLog, droppedLogLines } from './platform-log.ts'

async function logFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'platform.log')
}

async function written(
  file: string,
  write: (log: ReturnType<typeof createPlatformLog>) => void,
): Promise<Record<string, unknown>[]> {
  const log = createPlatformLog({ logLevel: 'info' }, file)
  write(log)
  await new Promise<void>((resolve, reject) =>
    log.flush((error) => (error === undefined || error === null ? resolve() : reject(error))),
  )
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

test('the log is lines of JSON in a file that its owner alone can read', async () => {
  const file = await logFile()
  const lines = await written(file, (log) => {
    log.info({ requestId: 'req_1' }, 'request')
    log.debug('not at this level')
    log.warn('again')
  })
  expect(lines).toMatchObject([
    { level: 30, requestId: 'req_1', msg: 'request' },
    { level: 40, msg: 'again' },
  ])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('should a secret get into a line, however deep up to two objects, it is cut out', async () => {
  const secrets = {
    authorization: 's3cret',
    apiKey: 's3cret',
    card: { number: 's3cret' },
    cvc: 's3cret',
    serviceToken: 's3cret',
    jwe: 's3cret',
    secret: 's3cret',
  }
  const lines = await written(await logFile(), (log) => {
    for (const line of [secrets, { body: secrets }, { request: { body: secrets } }]) log.info(line, 'oh')
  })
  expect(lines).toHaveLength(3)
  expect(JSON.stringify(lines)).not.toContain('s3cret')
})

test('each line arrives once and in order, also those that come while others are being written', async () => {
  const file = await logFile()
  const log = createPlatformLog({ logLevel: 'info' }, file)
  for (let line = 0; line < 3_000; line += 1) {
    log.info({ line, filler: 'x'.repeat(100) })
    if (line % 10 === 0) await new Promise((resolve) => void setImmediate(resolve))
  }
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 3_000 }, (_, line) => line))
})

test('lines for which there is no room are counted, and a line tells of them once there is room again', async () => {
  const file = await logFile()
  const log = createPlatformLog({ logLevel: 'info' }, file)
  const before = droppedLogLines()
  const filler = 'x'.repeat(1_000_000)
  for (let line = 0; line < 30; line += 1) log.info({ line, filler })
  const dropped = droppedLogLines() - before
  expect(dropped).toBeGreaterThan(10)
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  log.info('after')
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(30 - dropped + 2)
  expect(lines.slice(-2).map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, time: expect.any(Number), dropped, msg: expect.stringContaining('dropped') },
    { msg: 'after' },
  ])
})
