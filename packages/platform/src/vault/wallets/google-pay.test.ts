import { createPrivateKey, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { publishedGoogleToken as published, tinkKeys } from '../../../test/vault/wallets/published-google-token.ts'
import { sealAsTink } from '../../../test/vault/wallets/seal-as-tink.ts'
import { openGoogleToken, readGoogleRootKeys } from './google-pay.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const rootKeys = readGoogleRootKeys(published.rootKeys) ?? []
const recipient = { recipientId: published.recipientId, privateKeys: [keyOf(published.privateKey)] }
const text = JSON.stringify(published.token)

test('a token that Google made opens', () => {
  expect(openGoogleToken(text, recipient, { nowMs: published.madeMs, rootKeys })).toMatchObject({
    kind: 'number',
    number: '4111111111111111',
    expMonth: 12,
    expYear: 2027,
    cryptogram: null,
  })
})

test('it is good until its messageExpiration, and not a millisecond longer', () => {
  const until = published.messageExpirationMs
  expect(openGoogleToken(text, recipient, { nowMs: until - 1, rootKeys }).wallet).toBe('google_pay')
  expect(reasonOf(() => openGoogleToken(text, recipient, { nowMs: until, rootKeys }))).toBe('expired')
})

test('the keys of other protocols are no root keys, and what is no list is none', () => {
  expect(rootKeys).toHaveLength(1)
  expect([readGoogleRootKeys('<html>'), readGoogleRootKeys('{}')]).toEqual([null, null])
})

// The cases of Tink's own tests of ECv2, by the keys that it publishes.
const nowMs = Date.UTC(2030, 0, 1)
const roots = [{ keyValue: tinkKeys.root.keyValue, expiresMs: nowMs + DAY_MS }]
const merchant = { recipientId: 'someRecipient', privateKeys: [keyOf(tinkKeys.merchantPrivateKey)] }
const other = { keyValue: tinkKeys.otherSigningKey, expiresMs: nowMs + DAY_MS }
const otherKey = keyOf(tinkKeys.otherPrivateKey)

test('a device number comes with its cryptogram and its ECI of two digits', () => {
  const token = sealAsTink({ nowMs, details: { eciIndicator: '5' } })
  expect(openGoogleToken(token, merchant, { nowMs, rootKeys: roots })).toMatchObject({
    kind: 'network_token',
    cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=',
    eci: '05',
  })
})

test('every key of the merchant, root key and signature is tried', () => {
  const token = sealAsTink({ nowMs, badSignatureFirst: true })
  const former = { ...merchant, privateKeys: [otherKey, ...merchant.privateKeys] }
  expect(openGoogleToken(token, former, { nowMs, rootKeys: [other, ...roots] }).kind).toBe('network_token')
})

test.for([
  ['a changed message', {}, (token: string) => token.replace('encryptedMessage', 'encryptedMessagE'), 'forged'],
  ['a changed signing key', {}, (token: string) => token.replace('keyExpiration', 'keyExpiratioN'), 'forged'],
  ['an expired signing key', { keyExpiresMs: nowMs }, same, 'expired'],
  ['an expired message', { messageExpiresMs: nowMs }, same, 'expired'],
  ['another sender', { sender: 'not-Google' }, same, 'forged'],
  ['ECv1', {}, (token: string) => token.replace('"ECv2"', '"ECv1"'), 'unreadable'],
  ['no cryptogram', { details: { cryptogram: undefined } }, same, 'unreadable'],
] as const)('%s is refused', ([, parts, change, reason]) => {
  const token = change(sealAsTink({ nowMs, ...parts }))
  expect(reasonOf(() => openGoogleToken(token, merchant, { nowMs, rootKeys: roots }))).toBe(reason)
})

test.for([
  ['for another recipient', { ...merchant, recipientId: 'notSomeRecipient' }, roots, 'forged'],
  ['for another key', { ...merchant, privateKeys: [otherKey] }, roots, 'unknown_key'],
  ['of another root', merchant, [other], 'forged'],
  ['of an expired root', merchant, [{ keyValue: tinkKeys.root.keyValue, expiresMs: nowMs }], 'forged'],
  ['of no root', merchant, [], 'forged'],
] as const)('a token %s is refused', ([, to, by, reason]) => {
  expect(reasonOf(() => openGoogleToken(sealAsTink({ nowMs }), to, { nowMs, rootKeys: by }))).toBe(reason)
})

function keyOf(base64: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
}

function same(token: string): string {
  return token
}

function reasonOf(open: () => unknown): unknown {
  try {
    return open()
  } catch (error) {
    return Object(error).reason
  }
}
