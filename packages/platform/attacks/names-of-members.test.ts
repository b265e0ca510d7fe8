import { contract, type RefundRequest } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { newInstrument, pay } from '../test/pay-with-card.ts'
import { deployBody } from '../test/plugins/deploy-plugin.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// The attacker, with a key that reads refunds, wants to know who works for the merchant, to write to them.

const platform = sharedPlatform()

test('refund requests name members only to readers who may read members', async () => {
  const { token: owner, memberId } = await placeMember(platform())
  const ofOwner = { key: '', headers: consoleHeaders(platform(), owner) }
  const limit = { ...ofOwner, body: { currency: 'USD', amount: 100 } }
  await platform().request('POST', '/api/payments/v1/refund-limits/set', limit)
  const payment = await pay(platform(), (await newInstrument(platform())).id)
  const refund = await platform().request('POST', `/api/payments/v1/payments/${payment.id}/refund`, {
    ...ofOwner,
    body: {},
  })
  const { id } = (refund.body as { refundRequest: RefundRequest }).refundRequest
  await platform().request('POST', `/api/payments/v1/refund-requests/${id}/decline`, { ...ofOwner, body: {} })

  const paths = [`/api/payments/v1/refund-requests/${id}`, '/api/payments/v1/refund-requests']
  const reads = (options: object) => Promise.all(paths.map((path) => platform().request('GET', path, options)))
  const readOnly = await placeMember(platform(), { role: 'read_only' })
  for (const options of [
    {},
    { key: await platform().addKey({ scopes: ['refunds:read'] }) },
    { key: await platform().addKey({ roles: ['org:read'] }) },
    { key: '', headers: consoleHeaders(platform(), readOnly.token) },
  ]) {
    for (const answer of await reads(options)) {
      const text = JSON.stringify(answer.body)
      expect([answer.status, text.includes(memberId), text.includes('@')]).toEqual([200, true, false])
      expect(text).toContain('"requestedByName":null')
      expect(text).toContain('"decidedByName":null')
    }
  }
  for (const options of [ofOwner, { key: await platform().addKey({ roles: ['org:admin'] }) }]) {
    for (const answer of await reads(options)) expect(JSON.stringify(answer.body)).toMatch(/"requestedByName":"[^"]*@/)
  }
})

test('nor does the audit log, or the log of failed requests', async () => {
  const { token } = await placeMember(platform())
  const invited = { email: 'grace@example.com', name: 'Grace', role: 'support' }
  const ofOwner = { key: '', headers: consoleHeaders(platform(), token) }
  const invite = () => platform().request('POST', contract.members.invite.path, { ...ofOwner, body: invited })
  expect((await invite()).status).toBe(201)
  const missing = contract.payments.get.path.replace('{paymentId}', 'pay_none')
  expect((await platform().request('GET', missing, ofOwner)).status).toBe(404)
  const reads = (options: object) =>
    Promise.all([contract.audit, contract.requests].map(({ list }) => platform().request('GET', list.path, options)))
  for (const key of [platform().local.apiKey, await platform().addKey({ roles: ['org:read'] })]) {
    for (const { status, text } of await reads({ key }))
      expect([status, text.includes('"kind":"member"'), text.includes('@')]).toEqual([200, true, false])
  }
  const { token: readOnly } = await placeMember(platform(), { role: 'read_only' })
  const [log] = await reads({ key: '', headers: consoleHeaders(platform(), readOnly) })
  expect([log?.status, log?.text.includes('members.invite'), log?.text.includes('@')]).toEqual([200, true, false])
  for (const { text } of await reads(ofOwner)) expect(text).toMatch(/"name":"[^"]*@/)
  expect((await reads(ofOwner))[0]?.text).toContain(invited.email)
})

test('nor do plugins, their deployments, and what the log says of those', async () => {
  const { token } = await placeMember(platform())
  const ofOwner = { key: '', headers: consoleHeaders(platform(), token) }
  const { storeId } = platform().local
  const { plugins, pluginManagement, audit } = contract
  const deployed = await platform().request('POST', plugins.deploy.path, { ...ofOwner, body: deployBody(storeId) })
  const deploymentId = plugins.deploy.response.parse(deployed.body).deploymentId ?? ''
  const at = (path: string) => path.replace('{deploymentId}', deploymentId)
  expect((await platform().request('POST', at(pluginManagement.takeOffline.path), ofOwner)).status).toBe(200)
  const paths = [
    `${pluginManagement.plugins.path}?storeId=${storeId}`,
    `${pluginManagement.list.path}?storeId=${storeId}`,
    at(pluginManagement.view.path),
    `${audit.list.path}?resourceId=${deploymentId}`,
  ]
  const reads = (options: object) => Promise.all(paths.map((path) => platform().request('GET', path, options)))
  const readOnly = await placeMember(platform(), { role: 'read_only' })
  for (const options of [{}, { key: '', headers: consoleHeaders(platform(), readOnly.token) }]) {
    for (const { status, text } of await reads(options))
      expect([status, text.includes('"kind":"member"'), text.includes('@')]).toEqual([200, true, false])
  }
  for (const { text } of await reads(ofOwner)) expect(text).toMatch(/"name":"[^"]*@/)
})
