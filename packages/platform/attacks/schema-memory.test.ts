import { expect, test } from 'vitest'
import { openAttacker } from '../faults/tenant-attacks.ts'
import { newPlace } from '../faults/new-place.ts'
import { startProcess } from '../faults/platform-process.ts'

// A tenant with an account's secret key. They synchronise schemas with an `$id` inside, which a validator that is shared
// keeps for ever: its memory fills up, and what one tenant has named is known to the next.

const ID = 'https://tenant.example/inner'
const TIMES = 150
/** A body takes it; so many of them are more than a thread that checks schemas may use, or the process here. */
const LARGE_CHARS = 900_000
const settings = { NODE_OPTIONS: '--max-old-space-size=120' }

test('schemas with ids inside leave nothing behind: more of them than fit into memory are checked', async () => {
  const { local } = await startProcess(await newPlace('sqlite'), { settings })
  const { sync } = await openAttacker(local)
  const statuses = new Set<number>()
  for (let time = 0; time < TIMES; time++) {
    const inner = { $id: `${ID}/${time}`, type: 'string', description: 'x'.repeat(LARGE_CHARS) }
    const schema = { definitions: { inner }, properties: { a: { $ref: `${ID}/${time}` } } }
    statuses.add((await sync({ dryRun: true, schema, presets: { dark: { a: 'text' } } })).status)
  }
  expect([...statuses]).toEqual([200])
})

test('an id means what the schema at hand says, and nothing where that says nothing', async () => {
  const { local } = await startProcess(await newPlace('sqlite'))
  const { sync } = await openAttacker(local)
  const checked = (definitions: object) =>
    sync({
      dryRun: true,
      schema: { $id: 'https://tenant.example/', definitions, properties: { a: { $ref: ID } } },
      presets: { dark: { a: 'text' } },
    })
  expect((await checked({ inner: { $id: ID, type: 'string' } })).body).toMatchObject({ invalid: [] })
  expect((await checked({ inner: { $id: ID, type: 'number' } })).body).toMatchObject({
    invalid: [{ preset: 'dark', pointer: '/a', message: 'must be number' }],
  })
  expect((await checked({ inner: { $id: ID, type: 'string' } })).body).toMatchObject({ invalid: [] })
  const { status, error } = await checked({})
  expect([status, error.param]).toEqual([400, 'schema'])
  expect(error.message).toContain("can't resolve reference")
})
