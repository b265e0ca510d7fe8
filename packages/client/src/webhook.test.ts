import { runInNewContext } from 'node:vm'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { eventProperties, verifyHook, verifyWebhook } from './webhook.ts'

const secret = `whsec_${btoa('k'.repeat(32))}`
const otherSecret = `whsec_${btoa('o'.repeat(32))}`
const properties = { orderId: 'order_1', amount: 1999, currency: 'USD', paymentId: 'pay_1' }
const delivery = {
  id: 'evt_1',
  type: 's_order_paid',
  timestamp: '2026-01-01T00:00:00.000Z',
  environment: 'local',
  accountId: 'acc_1',
  storeId: 'store_1',
  data: {
    id: 'evt_1',
    accountId: 'acc_1',
    storeId: 'store_1',
    eventType: 's_order_paid',
    properties,
    draft: false,
    createdAt: '2026-01-01T00:00:00.000Z',
  },
}
const body = JSON.stringify(delivery)

function signedBy(key: string, text: string, ageS = 0) {
  const sentAt = new Date(Date.now() - ageS * 1_000)
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(key).sign('evt_1', sentAt, text),
  }
}
const refused = (reason?: string) =>
  expect.objectContaining({ code: 'webhook_invalid', ...(reason && { message: expect.stringContaining(reason) }) })

test('a signed delivery is read from text and from bytes, with headers of Node or of fetch', () => {
  const headers = signedBy(secret, body)
  expect(verifyWebhook(body, headers, secret)).toEqual(delivery)
  const bytes = new TextEncoder().encode(body)
  expect(verifyWebhook(bytes, new Headers(headers), secret)).toEqual(delivery)
  const ofAnotherRealm: Uint8Array = new (runInNewContext('Uint8Array'))(bytes)
  expect(verifyWebhook(ofAnotherRealm, headers, secret)).toEqual(delivery)
})

test('headers are read from any implementation of the Fetch API', () => {
  class OtherHeaders {
    readonly #headers = new Headers(signedBy(secret, body))
    get = (name: string) => this.#headers.get(name)
  }
  expect(verifyWebhook(body, new OtherHeaders(), secret)).toEqual(delivery)
})

test.each([[delivery], [undefined], [null], [[]]])(
  'a body that is not the raw one is refused with the way to it: %j',
  (parsed) => {
    // What Express passes after `express.json()`.
    expect(() => Reflect.apply(verifyWebhook, null, [parsed, signedBy(secret, body), secret])).toThrow(
      expect.objectContaining({
        code: 'options_invalid',
        param: 'body',
        message: expect.stringContaining('express.raw'),
      }),
    )
  },
)

test('while a secret is being replaced, either may have signed, and a delivery signed with both verifies with either', () => {
  expect(verifyWebhook(body, signedBy(otherSecret, body), [secret, otherSecret]).id).toBe('evt_1')
  const both = { ...signedBy(secret, body) }
  both['webhook-signature'] += ` ${signedBy(otherSecret, body)['webhook-signature']}`
  expect(verifyWebhook(body, both, otherSecret).id).toBe('evt_1')
})

test('a body that was altered by one byte is refused', () => {
  expect(() => verifyWebhook(body.replace('1999', '1998'), signedBy(secret, body), secret)).toThrow(refused())
})

test('another secret, another id and missing headers are refused', () => {
  const headers = signedBy(secret, body)
  expect(() => verifyWebhook(body, headers, otherSecret)).toThrow(
    refused('`tillwright events listen` prints one of its own'),
  )
  expect(() => verifyWebhook(body, { ...headers, 'webhook-id': 'evt_2' }, secret)).toThrow(refused())
  expect(() => verifyWebhook(body, {}, secret)).toThrow(refused('Missing required headers'))
})

test('a question to a hook is read as a delivery is, and an event is none', () => {
  const { timestamp, environment, accountId, storeId } = delivery
  const sender = { timestamp, environment, accountId, storeId }
  const buyer = { email: null, card: null, buyerIp: null }
  const ids = { sessionId: null, orderId: null, paymentId: null, subscriptionId: null, customerId: null }
  const about = { currency: 'USD', amount: 1999, shippingAmount: 0, lines: [], destination: null }
  const question = { id: 'hook_1', kind: 'tax', isPreview: false, ...sender, ...ids, ...about, ...buyer }
  const text = JSON.stringify(question)
  expect(verifyHook(text, signedBy(secret, text), [otherSecret, secret])).toEqual(question)
  expect(() => verifyHook(text, signedBy(otherSecret, text), secret)).toThrow(refused('No matching signature found'))
  expect(() => verifyHook(text.replace('1999', '1'), signedBy(secret, text), secret)).toThrow(refused())
  expect(() => verifyHook(body, signedBy(secret, body), secret)).toThrow(refused('not a question to a hook'))
})

test('a delivery of more than five minutes ago or ahead is refused', () => {
  expect(verifyWebhook(body, signedBy(secret, body, 290), secret).id).toBe('evt_1')
  expect(() => verifyWebhook(body, signedBy(secret, body, 310), secret)).toThrow(refused('too old'))
  expect(() => verifyWebhook(body, signedBy(secret, body, -310), secret)).toThrow(refused('too new'))
})

test.each(['{}', 'not json', '', 'null'])('a signed body that is not an event is refused: %j', (text) => {
  expect(() => verifyWebhook(text, signedBy(secret, text), secret)).toThrow(refused())
})

test.each(['', 'whsec_', 'a secret', [], undefined, [undefined]])(
  'the secret %j is refused without repeating it',
  (wrong) => {
    const verify = () => verifyWebhook(body, signedBy(secret, body), wrong as string)
    expect(verify).toThrow(expect.objectContaining({ code: 'options_invalid' }))
    expect(verify).not.toThrow('a secret')
  },
)

test("an event's properties are typed by its type, and null for another type and for a delivery of only the id", () => {
  const orderId: string | undefined = eventProperties(
    verifyWebhook(body, signedBy(secret, body), secret),
    's_order_paid',
  )?.orderId
  expect(orderId).toBe('order_1')
  expect(eventProperties({ ...delivery, environment: 'local' }, 's_order_created')).toBeNull()
  expect(eventProperties({ ...delivery, environment: 'local', data: { id: 'evt_1' } }, 's_order_paid')).toBeNull()
})

test('properties that do not match the contract are refused', () => {
  const odd = { ...delivery, environment: 'local' as const, data: { ...delivery.data, properties: { orderId: 7 } } }
  expect(() => eventProperties(odd, 's_order_paid')).toThrow(refused())
})
