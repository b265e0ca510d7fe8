import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../test/events/start-receiver.ts'
import { egressThread } from './egress-thread.ts'

const silent = pino({ level: 'silent' })
const never = new AbortController().signal

test('each message sent from the thread has its own answer, one that is given up has none, and a closed thread is replaced', async () => {
  const receiver = await startReceiver(({ body }) => (body === '"hang"' ? 'hang' : { status: 200, body }))
  const wayOut = egressThread('local', silent)
  onTestFinished(() => wayOut.close())
  const send = (body: string, signal = never) => wayOut.deliver(receiver.url, { headers: { 'x-n': '1' }, body }, signal)
  const bodies = Array.from({ length: 50 }, (_, n) => JSON.stringify({ n }))
  const answers = await Promise.all(bodies.map((body) => send(body)))
  expect(answers).toEqual(bodies.map((excerpt) => ({ status: 200, retryAfter: null, excerpt })))

  const givingUp = new AbortController()
  const hanging = send('"hang"', givingUp.signal)
  await receiver.until(51)
  givingUp.abort()
  expect(await hanging).toEqual({ failure: 'There was no answer in time.' })
  const ended = send('"hang"')
  await receiver.until(52)
  await wayOut.close()
  expect(await ended).toEqual({ failure: 'The thread that sends webhooks has ended.' })
  expect(await send('"again"')).toMatchObject({ status: 200 })
})

test('outside of local platforms the thread sends to public https: addresses alone', async () => {
  const wayOut = egressThread('production', silent)
  onTestFinished(() => wayOut.close())
  const send = (url: string) => wayOut.deliver(url, { headers: {}, body: '{}' }, never)
  expect(await send('http://example.com/')).toEqual({ failure: 'Only https: addresses are delivered to.' })
  expect(await send('https://10.0.0.1/')).toEqual({ failure: 'The host has an address that is not public.' })
})
