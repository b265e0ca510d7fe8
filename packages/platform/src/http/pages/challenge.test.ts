import { describe, expect, onTestFinished, test } from 'vitest'
import { type Receiver, type ReceiverAnswer, startReceiver } from '../../../test/events/start-receiver.ts'
import { openForm } from '../../../test/open-form.ts'
import { startTestPlatform, ruleEngines, type TestPlatform } from '../../../test/test-platform.ts'

const solved = { status: 200, body: '{"success":true}' }
const wrong = { status: 400, body: '{"success":false,"error-codes":["timeout-or-duplicate"]}' }

describe.each(ruleEngines())('on %s', (engine) => {
  test('a form is asked for a challenge from its sixth card on, and spared for 15 minutes once it is solved', async () => {
    const { platform, verifier } = await challenged(() => solved, engine)
    const send = await openForm(platform)
    for (let n = 0; n < 5; n++) expect((await send()).status).toBe(201)
    const asked = await send()
    expect(asked.status).toBe(403)
    expect(asked.error).toMatchObject({
      type: 'permission_error',
      code: 'challenge_required',
      param: 'challengeResponse',
    })
    expect(verifier.received).toEqual([])
    expect((await send({ challengeResponse: 'a b&c=d' })).status).toBe(201)
    const [request] = verifier.received
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      secret: 'challenge secret',
      response: 'a b&c=d',
      remoteip: '127.0.0.1',
    })
    expect((await send()).status).toBe(201)
    expect(verifier.received).toHaveLength(1)
    platform.clock.advance(15 * 60_000)
    expect((await send()).error.code).toBe('challenge_required')
  })
})

test('a challenge that is solved lifts no other limit', async () => {
  const { platform } = await challenged(() => solved)
  const send = await openForm(platform)
  const answers = []
  for (let n = 0; n < 11; n++) answers.push((await send({ challengeResponse: 'solved' })).status)
  expect(answers).toEqual([...Array.from({ length: 10 }, () => 201), 429])
})

test('an address is asked from its sixteenth card on, however many forms it loads, and each form for itself', async () => {
  const { platform } = await challenged(() => solved)
  const first = await Promise.all(Array.from({ length: 15 }, async () => (await openForm(platform))()))
  expect(first.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 201))
  const [one, two] = [await openForm(platform), await openForm(platform)]
  expect((await one()).error.code).toBe('challenge_required')
  expect((await one({ challengeResponse: 'solved' })).status).toBe(201)
  expect((await one()).status).toBe(201)
  expect((await two()).error.code).toBe('challenge_required')
})

test('a wrong answer to a challenge lets nothing through', async () => {
  const { platform } = await challenged(() => wrong)
  const send = await crowdedForm(platform)
  const refused = await send({ challengeResponse: 'wrong' })
  expect([refused.status, refused.error.code]).toEqual([403, 'challenge_required'])
  expect(refused.text).toContain('was not solved')
})

test.each<[string, ReceiverAnswer]>([
  ['a fault', { status: 500, body: 'oops' }],
  ['a page', { status: 200, body: '<html>"success":true</html>' }],
  ['no verdict', { status: 200, body: '{}' }],
  ['a verdict that is no boolean', { status: 200, body: '{"success":"true"}' }],
  ['a way to somewhere else', { status: 302, headers: { Location: 'http://127.0.0.1:9/' } }],
  ['a broken connection', 'reset'],
])('a verifier that answers %s lets nothing through, and its secret stays here', async (_, answer) => {
  const { platform } = await challenged(() => answer)
  const send = await crowdedForm(platform)
  const refused = await send({ challengeResponse: 'solved' })
  expect([refused.status, refused.error.code]).toEqual([502, 'upstream_failed'])
  expect(refused.text).toContain('could not be checked')
  expect(refused.text + platform.logged.join()).not.toContain('challenge secret')
  expect((await send()).error.code).toBe('challenge_required')
})

test('a verifier that does not answer is given five seconds', async () => {
  const { platform, verifier } = await challenged(() => 'hang')
  const send = await crowdedForm(platform)
  const refused = send({ challengeResponse: 'solved' })
  await verifier.until(1)
  platform.clock.advance(5_000)
  expect((await refused).error.code).toBe('upstream_failed')
})

async function challenged(
  answer: () => ReceiverAnswer,
  engine: ReturnType<typeof ruleEngines>[number] = 'sqlite',
): Promise<{ platform: TestPlatform; verifier: Receiver }> {
  const verifier = await startReceiver(answer)
  const platform = await startTestPlatform({ engine, rateLimits: true, challengeUrl: `${verifier.url}/siteverify` })
  onTestFinished(() => platform.remove())
  return { platform, verifier }
}

/** A form that has sent as many cards as it may without a challenge. */
async function crowdedForm(platform: TestPlatform) {
  const send = await openForm(platform)
  for (let n = 0; n < 5; n++) await send()
  return send
}
