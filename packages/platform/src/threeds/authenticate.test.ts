import { expect, test } from 'vitest'
import { openVault } from '../../test/vault/open-vault.ts'
import { askProvider } from './authenticate.ts'
import type { Authentication, AuthenticationRequest, Authenticator } from './provider.ts'

// Neither provider below looks at what it is asked, but for the transaction that the log names.
const request = { message: { threeDSServerTransID: 'T-1' } } as AuthenticationRequest
const hanging: Authenticator = { authenticate: () => new Promise(() => {}) }
const broken: Authenticator = {
  authenticate: () => Promise.reject(new Error('connection reset')),
}

test('a provider that does not answer within 30 seconds is a 504', async () => {
  const { clock, call } = await openVault()
  let settled = false
  const asked = askProvider(request, hanging, call()).finally(() => {
    settled = true
  })
  clock.advance(29_999)
  await new Promise(setImmediate)
  expect(settled).toBe(false)
  clock.advance(1)
  expect(await asked).toMatchObject({ outcome: 'unanswered', error: { code: 'upstream_timeout' } })
})

test('a provider that fails is a 502, and what went wrong is logged under the transaction', async () => {
  const { logged, call } = await openVault()
  const asked = await askProvider(request, broken, call())
  expect(asked).toMatchObject({ outcome: 'unanswered', error: { code: 'upstream_failed' } })
  expect(logged.join()).toMatch(/connection reset.*T-1|T-1.*connection reset/)
})

test.for([
  ['local', 'http://bank.example/acs', 'unanswered'],
  ['local', 'http://localhost.example/acs', 'unanswered'],
  ['local', 'http://localhost:4400/acs', 'answered'],
  ['local', 'https://bank.example/acs', 'answered'],
  ['development', 'http://localhost:4400/acs', 'unanswered'],
  ['production', 'http://bank.example/acs', 'unanswered'],
  ['production', 'https://bank.example/acs', 'answered'],
] as const)('in %s a challenge at %s is %s', async ([environment, acsChallengeUrl, outcome]) => {
  const { call } = await openVault()
  const { services, ...rest } = call()
  const challenging = { authenticate: async () => ({ acsChallengeUrl }) as Authentication } // all that is looked at
  const asked = await askProvider(request, challenging, { ...rest, services: { ...services, environment } })
  expect(asked.outcome).toBe(outcome)
})

test.for([
  ['threeds=outage', 'upstream_failed'],
  ['threeds=timeout', 'upstream_timeout'],
] as const)('the fault %s is answered at once, without asking anybody', async ([fault, code]) => {
  const { call } = await openVault()
  const asked = await askProvider(request, hanging, { ...call(), fault })
  expect(asked).toMatchObject({ outcome: 'unanswered', error: { code } })
})
