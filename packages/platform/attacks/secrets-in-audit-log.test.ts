import { describe, expect, test } from 'vitest'
import { openOperator } from '../src/operator/operator.ts'
import { readConfig } from '../src/config.ts'
import { cardTraces } from '../../../.ci/card-traces.ts'
import { happyRequests } from '../test/happy-requests.ts'
import { encryptedForm, serviceToken } from '../test/pay-with-card.ts'
import { ruleEngines, sharedPlatform } from '../test/test-platform.ts'
import { operations } from '../test/walk/operations.ts'
import { sendTo } from '../test/walk/send-to.ts'

/** The attacker has come by a copy of the audit log, or a key that may read it, and searches it for anything that opens more. */
const CARD = '4000056655665556'
const CVC = '7391'
const CREDENTIALS = 'marked-credentials-of-a-store'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('no card, key, token, code, hash or secret of any operation is in the log', async () => {
    const { local, services } = platform()
    const secrets = new Set([local.apiKey, local.adminApiKey, local.publishableKey, local.webhookSecret, CREDENTIALS])
    const jwe = await encryptedForm(platform(), { number: CARD, cvc: CVC, name: 'Ada' })
    secrets.add(jwe)
    await platform().vaultRequest('POST', '/api/vault/v1/tokens', { body: { jwe } })
    secrets.add(await serviceToken(platform(), CARD))
    await platform().request('POST', '/api/public/v1/stores/create', {
      body: { name: 'Marked', credentials: CREDENTIALS },
      headers: { 'User-Agent': `agent ${local.apiKey}` },
    })
    for (const { id, operation } of operations) {
      const sent = (await happyRequests[id]?.(platform())) ?? {}
      const answer = await sendTo(platform(), operation, sent)
      for (const secret of secretsIn([sent, answer.body])) secrets.add(secret)
    }
    const operator = await openOperator(readConfig(platform().settings))
    const { key } = await operator.keys.createSecret({ account: local.accountId, roles: [], scopes: [] })
    const { secret } = await operator.webhooks.add({
      account: local.accountId,
      url: 'http://127.0.0.1:9/more',
      eventTypes: '*',
      drafts: false,
    })
    await operator.close()
    for (const one of [key, secret]) secrets.add(one)
    for (const { hash } of await services.db.read('SELECT hash FROM api_keys', [])) secrets.add(String(hash))
    for (const row of await services.db.read('SELECT token_hash FROM funnel_sessions', []))
      secrets.add(String(row['token_hash']))

    const rows = await services.db.read('SELECT * FROM audit_entries', [])
    const log = JSON.stringify(rows.map(({ mac: _, changes_mac: __, ...row }) => row))
    expect(rows.length).toBeGreaterThan(operations.length)
    expect(secrets.size).toBeGreaterThan(20)
    expect([...secrets].filter((one) => log.includes(one))).toEqual([])
    expect(cardTraces(Buffer.from(log), CARD)).toEqual([])
  })
})

/** The values of fields that are secrets by the contract's own names, and what looks like one. */
function secretsIn(value: unknown): string[] {
  const found: string[] = []
  const text = JSON.stringify(value)
  for (const [one] of text.matchAll(
    /(?:fstok|fscode|whsec)_[\w+/=-]{20,}|eyJ[\w-]{20,}[\w.-]*|(?:test|live)_[sp]k_\w{30,}/g,
  ))
    found.push(one)
  for (const [, one] of text.matchAll(
    /"(?:token|serviceToken|securityCodeToken|actionToken|code|authenticationValue|creq|jwe)":"([^"]{20,})"/g,
  )) {
    if (one !== undefined) found.push(one)
  }
  return found
}
