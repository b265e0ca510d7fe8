import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { verifyWebhook, type WebhookHeaders } from '@tillwright/client'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../.ci/free-port.ts'
import { runCommand } from '../testing/run-command.ts'
import { startLocal, type RunningLocal } from '../testing/start-local.ts'
import { tillwright, type Run } from '../testing/tillwright.ts'

let local: RunningLocal
let config: string
beforeAll(async () => {
  local = await startLocal()
  config = await mkdtemp(join(tmpdir(), 'tillwright-'))
  return async () => {
    await local.stop()
    await rm(config, { recursive: true, force: true })
  }
})

const settings = () => ({ TILLWRIGHT_HOME: local.home, XDG_CONFIG_HOME: config })

interface Received {
  body: string
  headers: WebhookHeaders
}

/** A shop's server that receives webhooks. */
async function receiver(port = 0, status = 200): Promise<{ url: string; received: Received[]; server: Server }> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    received.push({ body: await text(request), headers: request.headers })
    response.writeHead(status).end()
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const own = (server.address() as AddressInfo).port // a listening TCP server has one
  return { url: `http://127.0.0.1:${own}/webhooks`, received, server }
}

async function trigger(...args: string[]) {
  const { out, code } = await runCommand(['events', 'trigger', ...args, '--json'], settings())
  expect(code).toBe(0)
  return JSON.parse(out)
}

/** Resolves as soon as a command has printed something. */
async function printed(run: Run, stream: 'out' | 'err', what: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = what.exec(run.printed()[stream])
    if (found !== null) return found
    const source = stream === 'out' ? run.child.stdout : run.child.stderr
    const over = await Promise.race([once(source ?? run.child, 'data').then(() => false), run.ended.then(() => true)])
    if (over && !what.test(run.printed()[stream])) throw new Error(`It ended: ${JSON.stringify(run.printed())}`)
  }
}

async function listening(...args: string[]): Promise<{ run: Run; secret: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-'))
  const run = await tillwright(['events', 'listen', ...args], settings(), folder)
  await printed(run, 'err', /Ctrl-C/)
  return { run, secret: /whsec_\S+/.exec(run.printed().err)?.[0] ?? '' }
}

test('events are printed and forwarded as the platform signs them, in order, including those a receiver missed', async () => {
  const port = await freePort()
  const { url, received, server } = await receiver(port)
  const { run, secret } = await listening('--forward-to', url.replace('http://', ''), '--json')
  const first = await trigger('s_order_paid', '--set', 'amount=4321')
  await printed(run, 'out', new RegExp(first.id))
  server.close()
  server.closeAllConnections()
  const missed = [await trigger('s_order_paid'), await trigger('s_order_refunded')]
  await printed(run, 'err', /is unavailable/)
  const back = await receiver(port)
  await printed(run, 'out', new RegExp(missed[1].id))
  const all = [...received, ...back.received].map(({ body, headers }) => verifyWebhook(body, headers, secret))
  expect(all.map(({ id, data }) => [id, data])).toMatchObject([
    [first.id, { eventType: 's_order_paid', draft: true, properties: { amount: 4321, currency: 'USD' } }],
    [missed[0].id, {}],
    [missed[1].id, { eventType: 's_order_refunded' }],
  ])
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(130)
  const { out, err } = run.printed()
  expect(err).not.toContain('error')
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ event, receipt }) => [event.id, receipt.status])).toEqual(all.map(({ id }) => [id, 200]))

  const since = await listening('--since', '10m')
  await printed(since.run, 'out', new RegExp(`${first.id}[^]*${missed[1].id}`))
  since.run.child.kill('SIGINT')
})

test('the secret is stable across starts, readable by its owner only, and specific to the account', async () => {
  const { url } = await receiver(0, 500)
  const event = await trigger('s_order_paid')
  const replay = () => runCommand(['events', 'replay', event.id, '--forward-to', url], settings())
  const [once_, again] = [await replay(), await replay()]
  expect(once_.out).toMatch(new RegExp(`^${event.id}  500 in \\d+ ms\n$`))
  const secrets = [once_, again].map(({ err }) => /whsec_\S+/.exec(err)?.[0])
  expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(secrets[1]).toBe(secrets[0])
  expect((await stat(join(config, 'tillwright', 'forwarding-seed'))).mode & 0o777).toBe(0o600)
})

test('an event can be listed, shown, and resent to the endpoints that subscribe to it', async () => {
  const event = await trigger('s_order_paid', '--set', 'currency=USD')
  const listed = await runCommand(['events', 'list', '--drafts', '--types', 's_order_paid', '--json'], settings())
  expect(JSON.parse(listed.out).data.map(({ id }: { id: string }) => id)).toContain(event.id)
  const shown = await runCommand(['events', 'show', event.id], settings())
  expect(shown.out).toMatch(/^event +evt_[\s\S]+^currency +USD$/m)
  const replayed = await runCommand(['events', 'replay', event.id], settings())
  expect(replayed).toMatchObject({ code: 0, out: `No endpoint subscribes to ${event.id}: nothing is sent.\n` })
})

test.for([
  [['trigger', 's_order_payed'], 2, 'There is no event type "s_order_payed"; choose one of: s_store_created, '],
  [['trigger', 's_order_paid', '--set', 'amount'], 2, '--set amount: must be path=value'],
  [['trigger', 's_order_paid', '--set', 'sum=5'], 1, 'properties.sum is not a property of s_order_paid'],
  [['replay', 'evt_none'], 1, "no event 'evt_none'"],
  [['listen', '--forward-to', 'shop.example:3000'], 2, 'must be an address'],
  [['listen', '--forward-to', 'localhost.example:3000'], 2, 'must be an address'],
  [['listen', '--since', 'yesterday'], 2, 'must be how long ago'],
] as const)('events %j ends with %i', async ([args, code, message]) => {
  const ran = await runCommand(['events', ...args], settings())
  expect(ran.err).toContain(message)
  expect([ran.code, ran.out]).toEqual([code, ''])
})

test('a type of events that is none is refused, instead of being waited for without an end', async () => {
  for (const command of [['list'], ['listen', '--since', '10m']]) {
    const types = ['--types', 's_order_paid,payment_intent.succeeded']
    const { code, err } = await runCommand(['events', ...command, ...types], settings())
    expect([code, err]).toEqual([1, expect.stringContaining('types must be types of events')])
  }
})
