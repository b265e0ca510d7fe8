import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestPlatform, testableEngines } from '../../../test/test-platform.ts'

describe.each(testableEngines())('on %s', (engine) => {
  test('a fault is a 500 that tells nothing of it, is on record under its id, and is not kept for a key', async () => {
    const platform = await startTestPlatform({ engine })
    onTestFinished(() => platform.remove())
    const { request, services, logged } = platform
    const send = () =>
      request('POST', '/api/public/v1/stores/create', { body: { name: 'Shop' }, headers: { 'Idempotency-Key': 'a' } })
    await services.db.write([{ sql: 'ALTER TABLE stores RENAME TO gone', params: [] }])
    const answer = await send()
    expect(answer.status).toBe(500)
    expect(answer.error).toMatchObject({ type: 'api_error', code: 'internal' })
    expect(answer.body).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' })
    expect(answer.headers['x-request-id']).toBe(answer.error.requestId)
    // The letters of an id are chance.
    expect(answer.text.replaceAll(answer.error.requestId, '')).not.toMatch(/stores|INSERT|sql|\.ts|node_modules/i)
    expect(
      logged.filter((line) => line.includes(answer.error.requestId) && line.includes('request failed')),
    ).toHaveLength(1)
    await services.db.write([{ sql: 'ALTER TABLE gone RENAME TO stores', params: [] }])
    expect((await send()).status).toBe(201)
  })
})
