import { TillwrightError } from '@tillwright/client'
import type { Event } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { followEvents, type EventLog } from './follow-events.ts'

/** A log that others append to; ids may appear in any order. */
class Log implements EventLog {
  readonly ids: string[] = []
  nowMs = 0
  asked = 0
  /** Errors for the next requests. */
  readonly errors: Error[] = []
  /** What happens while a request waits for an event; the test ends when there is nothing left. */
  readonly happenings: string[][]
  readonly ended = new AbortController()

  constructor(happenings: readonly (readonly string[])[]) {
    this.happenings = happenings.map((ids) => [...ids])
  }

  async list({ after = '', limit = 20, waitSeconds = 0 }: Parameters<EventLog['list']>[0] = {}) {
    this.asked++
    const error = this.errors.shift()
    if (error !== undefined) throw error
    if (after === 'latest') return { data: [], hasMore: false, nextCursor: this.sorted().at(-1) ?? 'evt_' }
    const wait = Number(waitSeconds)
    if (wait > 0 && this.behind(after).length === 0) this.pass(wait)
    const found = this.behind(after)
    const data = found.slice(0, Number(limit)).map(event)
    return { data, hasMore: found.length > data.length, nextCursor: data.at(-1)?.id ?? after }
  }

  private pass(seconds: number): void {
    const next = this.happenings.shift()
    this.nowMs += next === undefined ? seconds * 1_000 : 1
    this.ids.push(...(next ?? []))
    if (this.happenings.length === 0 && this.nowMs > 120_000) this.ended.abort()
    this.ended.signal.throwIfAborted()
  }

  private sorted(): string[] {
    return this.ids.toSorted()
  }

  private behind(after: string): string[] {
    return this.sorted().filter((id) => id > after)
  }
}

function event(id: string): Event {
  return {
    id,
    accountId: 'acc_1',
    eventType: 's_order_paid',
    properties: {},
    draft: false,
    createdAt: '2030-01-01T00:00:00.000Z',
  }
}

async function followed(log: Log, outages: (string | null)[] = []): Promise<string[]> {
  const heard: string[] = []
  const events = followEvents(log, {
    signal: log.ended.signal,
    outage: (reason) => outages.push(reason),
    sleep: async (ms) => void (log.nowMs += ms),
    now: () => log.nowMs,
  })
  try {
    for await (const { id } of events) heard.push(id)
  } catch (error) {
    if (!log.ended.signal.aborted) throw error
  }
  return heard
}

test('events that appear in the log out of order are delivered once each', async () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1_000, max: 9_999 }), { maxLength: 30 })
  const happenings = ids.chain((all) =>
    fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 30, maxLength: 30 }).map((sizes) => {
      const rest = all.map((id) => `evt_${id}`)
      return sizes.map((size) => rest.splice(0, size)).filter((some) => some.length > 0)
    }),
  )
  await fc.assert(
    fc.asyncProperty(happenings, async (each) => {
      expect((await followed(new Log(each))).toSorted()).toEqual(each.flat().toSorted())
    }),
    { numRuns: 200 },
  )
})

test('more events than fit on a page are delivered, and earlier ones are not', async () => {
  const many = Array.from({ length: 250 }, (_, at) => `evt_${1_000 + at}`)
  const log = new Log([many])
  log.ids.push('evt_0001')
  expect(await followed(log)).toEqual(many)
})

test('an outage of the platform is reported once, and nothing is lost', async () => {
  const log = new Log([['evt_1'], ['evt_2']])
  const away = () => new TillwrightError('network_failed', 'no response')
  log.errors.push(away(), away(), new TillwrightError('internal', 'broken', { status: 500 }))
  const outages: (string | null)[] = []
  expect(await followed(log, outages)).toEqual(['evt_1', 'evt_2'])
  expect(outages).toEqual(['no response', null])
})

test('a refused key ends it', async () => {
  const log = new Log([])
  log.errors.push(new TillwrightError('api_key_revoked', 'revoked', { status: 401 }))
  await expect(followed(log)).rejects.toMatchObject({ code: 'api_key_revoked' })
})

test('if nothing happens, the platform is asked three times a minute', async () => {
  const log = new Log([])
  await followed(log)
  expect(log.asked).toBeLessThanOrEqual(10) // in two minutes
})
