import { contract, EVENT_STREAMS_MAX, EVENT_STREAMS_PER_ACCOUNT } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { openEventStream } from '../../../test/open-event-stream.ts'
import {
  ruleTest,
  sharedPlatform,
  startTestPlatform,
  testableEngines,
  type TestPlatform,
} from '../../../test/test-platform.ts'
import type { Caller, MessageStream } from '../../request-context.ts'
import { manualClock } from '../../runtime/index.ts'
import { DatabaseUnavailable } from '../../storage/index.ts'
import { eventStreamBody, eventStreams } from './event-streams.ts'

/** Records an event through the API. */
async function trigger({ call }: TestPlatform): Promise<string> {
  return (await call(contract.eventLog.trigger, { body: { eventType: 's_store_created' } })).id
}

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })

  test('an event is a message with its type, its JSON and the cursor, at once', async () => {
    const stream = await openEventStream(platform(), { query: { drafts: 'true' } })
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    expect(await stream.next()).toEqual({ retry: '2000' })
    await stream.live()
    platform().clock.advance(1)
    const id = await trigger(platform())
    const block = await stream.next()
    expect(block).toMatchObject({ event: 's_store_created', id: expect.stringMatching(`^${id}_[0-9a-z]+$`) })
    const listed = await platform().call(contract.eventLog.list, {
      query: { drafts: 'true', after: 'evt_', limit: '100' },
    })
    expect(JSON.parse(block?.data ?? '')).toEqual(listed.data.find((each) => each.id === id))
  })

  test('a sign of life with the cursor comes every 15 seconds', async () => {
    const stream = await openEventStream(platform())
    const { cursor } = await stream.live()
    platform().clock.advance(15_000)
    expect(await stream.next()).toEqual({ comment: 'alive', id: cursor })
  })

  it('a client goes on over a restart, without loss and without a repetition', async () => {
    const own = await startTestPlatform({ engine })
    try {
      const stream = await openEventStream(own, { query: { drafts: 'true' } })
      await stream.live()
      const first = await trigger(own)
      const { id, cursor } = await stream.event()
      expect(id).toBe(first)
      await own.restart()
      expect(await stream.next()).toBeNull()
      const missed = await trigger(own)
      const resumed = await openEventStream(own, {
        query: { drafts: 'true', after: 'latest' },
        headers: { 'Last-Event-ID': cursor },
      })
      expect((await resumed.live()).ids).toEqual([missed])
      const after = await openEventStream(own, { query: { drafts: 'true', after: cursor } })
      expect((await after.live()).ids).toEqual([missed])
    } finally {
      await own.remove()
    }
  })

  test('the list goes on after the cursor of a stream', async () => {
    const stream = await openEventStream(platform(), { query: { drafts: 'true' } })
    const { cursor } = await stream.live()
    platform().clock.advance(1)
    const id = await trigger(platform())
    const { data } = await platform().call(contract.eventLog.list, { query: { drafts: 'true', after: cursor } })
    expect(data.map((event) => event.id)).toEqual([id])
  })

  test('a stream ends when its key is revoked', async () => {
    const key = await platform().addKey({ roles: ['org:admin'] })
    const stream = await openEventStream(platform(), { key })
    await stream.live()
    const { data } = await platform().call(contract.apiKeys.list, { query: { limit: '100' } })
    const keyId = data.find(({ shown }) => shown.endsWith(key.slice(-4)))?.id ?? ''
    await platform().call(contract.apiKeys.revoke, { params: { keyId } })
    platform().clock.advance(15_000)
    const types: string[] = []
    for (let next = await stream.next(); next !== null; next = await stream.next()) types.push(next.event ?? '')
    expect(types.filter((type) => type !== 's_api_key_revoked')).toEqual([])
    expect((await openEventStream(platform(), { key })).status).toBe(401)
  })
})

/** A stream of as many messages as are read. */
function endless(): MessageStream {
  return {
    async *follow(ended) {
      while (!ended.aborted) yield { cursor: 'evt_1_0', event: 's_store_created', data: '{}' }
    },
    beat: () => {},
  }
}

function openBody(messages: MessageStream, again?: () => Promise<Caller>) {
  const clock = manualClock(0)
  const caller = { accountId: 'acc_1', keyId: 'key_1', kind: 'secret', roles: [], scopes: [], storeId: null } as never
  const ends: string[] = []
  const body = eventStreamBody(messages, caller, {
    clock,
    stopping: new AbortController().signal,
    again: again ?? (async () => caller),
    leave: () => void ends.push('left'),
    cut: () => void ends.push('cut'),
  })
  /** A beat, and what it leads to. */
  const beat = async () => {
    clock.advance(15_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { body, ends, beat }
}

it('a client that reads nothing for two beats is cut off and its place is free', async () => {
  const { ends, beat } = openBody(endless())
  await beat()
  expect(ends).toEqual([])
  await beat()
  expect(ends).toEqual(['left', 'cut'])
})

it('a client that reads slowly, or has nothing to read, is not', async () => {
  const slow = openBody(endless())
  const reader = slow.body.getReader()
  const quiet = openBody({
    async *follow(ended) {
      await new Promise((resolve) => ended.addEventListener('abort', resolve))
      yield { cursor: 'evt_1_0', comment: 'alive' }
    },
    beat: () => {},
  })
  const reading = quiet.body.getReader()
  await reading.read()
  const last = reading.read()
  for (let beats = 0; beats < 5; beats++) {
    await reader.read()
    await slow.beat()
    await quiet.beat()
  }
  expect([slow.ends, quiet.ends]).toEqual([[], []])
  await reader.cancel()
  expect(slow.ends).toEqual(['left'])
  await reading.cancel()
  expect((await last).done).toBe(true)
})

it('a database that is away ends no stream', async () => {
  const { body, ends, beat } = openBody(endless(), () => Promise.reject(new DatabaseUnavailable('away')))
  const reader = body.getReader()
  for (let beats = 0; beats < 3; beats++) {
    await reader.read()
    await beat()
  }
  expect(ends).toEqual([])
  await reader.cancel()
})

it('an account has a number of places, all have another, and a place that is given back is free', () => {
  const streams = eventStreams()
  const leave = Array.from({ length: EVENT_STREAMS_PER_ACCOUNT }, () => streams.enter('acc_1'))
  const refusal = (code: string) => expect.objectContaining({ code, details: { headers: { 'Retry-After': '15' } } })
  expect(() => streams.enter('acc_1')).toThrow(refusal('concurrency_exceeded'))
  leave[0]?.()
  streams.enter('acc_1')
  for (let each = streams.open(); each < EVENT_STREAMS_MAX; each++) streams.enter(`acc_${each}`)
  expect(() => streams.enter('acc_new')).toThrow(refusal('unavailable'))
})
