import { expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { newPlace } from './new-place.ts'
import { startKilled, startProcess, startRefused } from './platform-process.ts'
import { get } from './post.ts'

const MOMENTS = soaks ? 20 : 2

test('a second platform on one embedded database is refused in one line, and the first goes on', async () => {
  const place = await newPlace('sqlite')
  const first = await startProcess(place)
  const { code, output } = await startRefused(place)
  expect(code).toBe(1)
  expect(output).toBe(
    `${place.home}/tillwright.db is in use by another platform. Stop it, or give this one a folder of its own.\n`,
  )
  const product = await get(`${first.local.apiUrl}/api/public/v1/products/${first.local.productId}`, first.local.apiKey)
  expect(product?.status).toBe(200)
})

test('after a kill -9 the next platform starts at once, with the same account', async () => {
  const place = await newPlace('sqlite')
  const first = await startProcess(place)
  await first.killNine()
  const { local } = await startProcess(place)
  expect(local).toMatchObject({ accountId: first.local.accountId, apiKey: first.local.apiKey })
})

test('a kill -9 at any moment of the first start leaves a place that starts', async () => {
  const place = await newPlace('sqlite')
  const { startMs } = await startProcess(await newPlace('sqlite'))
  for (let moment = 0; moment < MOMENTS; moment++) await startKilled(place, (startMs * (moment + 0.5)) / MOMENTS)
  const { local } = await startProcess(place)
  expect((await get(`${local.apiUrl}/api/public/v1/products/${local.productId}`, local.apiKey))?.status).toBe(200)
})
