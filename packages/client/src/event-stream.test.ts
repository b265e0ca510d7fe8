import { expect, test } from 'vitest'
import { createClient } from './client.ts'

type Answer = Response | Error

/** A platform that answers one connection after the other, and hears what each was sent. */
function platform(...answers: Answer[]) {
  const heard: (string | null)[] = []
  const client = createClient({
    apiKey: `test_sk_${'k'.repeat(36)}`,
    baseUrl: 'http://localhost:4400',
    random: () => 0,
    sleep: async () => {},
    fetch: async (_, { headers }) => {
      heard.push(new Headers(headers).get('last-event-id'))
      const answer = answers.shift()
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('Nothing is left.')
      return answer
    },
  })
  return { client, heard }
}

const stream = (...parts: string[]) =>
  new Response(bytesOf(parts), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  })

function bytesOf(parts: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })
}

const message = (id: string) => `id: ${id}_1\nevent: s_order_paid\ndata: {"id":"${id}"}\n\n`
const refusal = (status: number, code: string) => {
  const error = { type: 'api_error', code, message: `It is ${code}.`, docUrl: 'http://docs/x', requestId: 'req_1' }
  return Response.json({ error, message: error.message, code: 'X', issues: [] }, { status })
}
const revoked = () => refusal(401, 'api_key_revoked')

async function read(client: ReturnType<typeof platform>['client'], outages: (string | null)[] = []): Promise<string[]> {
  const ids: string[] = []
  const events = client.eventLog.stream({}, { outage: (error) => outages.push(error?.code ?? null) })
  try {
    for await (const { id } of events) ids.push(id)
  } catch (error) {
    ids.push(String(Object(error).code))
  }
  return ids
}

test('a stream that breaks goes on after the last message, or the last sign of life, and repeats nothing', async () => {
  const { client, heard } = platform(
    stream('retry: 2000\n\n: open\nid: evt_0_0\n\n'),
    stream(message('evt_1'), message('evt_2').slice(0, 20)),
    stream(message('evt_1') + message('evt_2'), ': alive\nid: evt_9_1\n\n'),
    revoked(),
  )
  expect(await read(client)).toEqual(['evt_1', 'evt_2', 'api_key_revoked'])
  expect(heard).toEqual([null, 'evt_0_0', 'evt_1_1', 'evt_9_1'])
})

test('an outage is reported once it lasts long enough, and so is its end', async () => {
  const outages: (string | null)[] = []
  const away = new Error('fetch failed')
  const { client } = platform(
    away,
    refusal(503, 'unavailable'),
    away,
    stream(message('evt_1')),
    away,
    stream(),
    revoked(),
  )
  expect(await read(client, outages)).toEqual(['evt_1', 'api_key_revoked'])
  expect(outages).toEqual(['unavailable', null, 'network_failed'])
})

test('an answer that is no stream is refused', async () => {
  expect(await read(platform(Response.json({})).client)).toEqual(['response_invalid'])
})

test('a caller who leaves closes the connection, and one who aborts gets the reason', async () => {
  let isClosed = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(message(`evt_${Math.random()}`))),
    cancel: () => void (isClosed = true),
  })
  const { client } = platform(new Response(endless, { headers: { 'content-type': 'text/event-stream' } }))
  for await (const _ of client.eventLog.stream()) break
  expect(isClosed).toBe(true)
  const reason = new Error('enough')
  await expect(client.eventLog.stream({}, { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason)
})
