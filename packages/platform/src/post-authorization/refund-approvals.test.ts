import { contract, type Payment, type RefundRequest } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { consoleHeaders, placeMember } from '../../test/console-browser.ts'
import { newInstrument, pay } from '../../test/pay-with-card.ts'
import { booksOf } from '../../test/payments/money-of.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { expireRequests } from './refund-requests.ts'

type Refunded = Payment & { refundRequest?: RefundRequest }

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const paid = async () => pay(platform(), (await newInstrument(platform())).id)
  const as = async (token: string, path: string, body: unknown = {}) =>
    platform().request('POST', `/api/payments/v1/${path}`, {
      key: '',
      headers: consoleHeaders(platform(), token),
      body,
    })
  const refund = (token: string, { id }: Payment, amount?: number) =>
    as(token, `payments/${id}/refund`, amount === undefined ? {} : { amount })
  const decide = (token: string, id: string, how: 'approve' | 'decline') => as(token, `refund-requests/${id}/${how}`)
  const waiting = ({ body }: { body: unknown }) => {
    const { refundRequest } = body as Refunded
    if (refundRequest === undefined) throw new Error('The refund does not wait.')
    return refundRequest
  }

  const read = ({ id: refundRequestId }: RefundRequest) =>
    platform().call(contract.refundRequests.get, { params: { refundRequestId } })
  const statusOf = async (request: RefundRequest) => (await read(request)).status

  async function eventsOf({ id, accountId }: RefundRequest): Promise<unknown[]> {
    const sql = "SELECT event_type, properties FROM events WHERE account_id = ? AND event_type LIKE 's_refund_req%'"
    const rows = await platform().services.db.read(`${sql} ORDER BY id`, [accountId])
    return rows.filter(({ properties }) => String(properties).includes(id)).map((row) => row['event_type'])
  }

  async function team(amount: number | null = 1_000) {
    const { token: owner } = await placeMember(platform())
    const set = await as(owner, 'refund-limits/set', { currency: 'USD', amount })
    expect(set.status, set.text).toBe(200)
    const [first, second] = [
      await placeMember(platform(), { role: 'operations' }),
      await placeMember(platform(), { role: 'operations' }),
    ]
    return { owner, first, second }
  }

  it('refunds up to the limit at once, and what is above it when another member approves', async () => {
    const { first, second } = await team()
    const payment = await paid()
    expect((await refund(first.token, payment, 1_000)).body).toMatchObject({ refundedAmount: 1_000 })
    platform().clock.advance(1)
    const asked = await refund(first.token, payment, 500)
    expect(asked.body).toMatchObject({ refundedAmount: 1_000, refunds: [{ amount: 1_000 }] })
    const request = waiting(asked)
    expect(request).toMatchObject({ status: 'pending', amount: 500, requestedBy: first.memberId, refundId: null })
    expect(request.approval).toBe('Another member has to approve it; ask owner and operations.')
    expect(
      await platform().call(contract.refundRequests.list, { query: { paymentId: payment.id, status: 'pending' } }),
    ).toMatchObject({ data: [{ id: request.id }] })
    const own = await decide(first.token, request.id, 'approve')
    expect(own.error).toMatchObject({
      code: 'scope_missing',
      message: 'You have requested this refund. Another member has to approve it; ask owner and operations.',
    })
    const approved = await decide(second.token, request.id, 'approve')
    expect(approved.body).toMatchObject({ refundedAmount: 1_500, refunds: [{}, { amount: 500, status: 'succeeded' }] })
    expect(
      await platform().call(contract.refundRequests.get, { params: { refundRequestId: request.id } }),
    ).toMatchObject({
      status: 'approved',
      decidedBy: second.memberId,
      refundId: (approved.body as Payment).refunds[1]?.id,
    })
    expect((await decide(second.token, request.id, 'approve')).error.code).toBe('state_conflict')
    expect(await booksOf(payment, platform())).toMatchObject({ captured: 1_999, refunded: 1_500 })
  })

  it('carries a request out once, however many approve at once', async () => {
    const { owner, first, second } = await team()
    const payment = await paid()
    const request = waiting(await refund(first.token, payment))
    const answers = await Promise.all([owner, second.token, owner].map((token) => decide(token, request.id, 'approve')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await booksOf(payment, platform())).toMatchObject({ refunded: 1_999 })
  })

  it('of several small refunds at once, lets none through that come above the limit together', async () => {
    const { first } = await team()
    const payment = await paid()
    await Promise.all([600, 600, 600].map((amount) => refund(first.token, payment, amount)))
    expect(await booksOf(payment, platform())).toMatchObject({ refunded: 600 })
  })

  it('refuses an approval after another refund, after seven days, and after it was declined', async () => {
    const { first, second } = await team()
    const payment = await paid()
    const request = waiting(await refund(first.token, payment, 1_500))
    expect((await refund(first.token, payment, 1_600)).error.message).toMatch(/waits for approval already/)
    expect((await refund(first.token, payment, 100)).status).toBe(200)
    expect((await decide(second.token, request.id, 'approve')).error.message).toMatch(/was refunded since/)
    expect((await decide(first.token, request.id, 'decline')).body).toMatchObject({ status: 'declined' })
    expect((await decide(second.token, request.id, 'approve')).error.code).toBe('state_conflict')
    const late = waiting(await refund(first.token, payment, 1_500))
    platform().clock.advance(7 * 24 * 60 * 60_000 - 1)
    await expireRequests(platform().services)
    expect(await statusOf(late)).toBe('pending')
    platform().clock.advance(1)
    const { first: third, second: fourth } = await team()
    expect((await decide(fourth.token, late.id, 'approve')).error.code).toBe('state_conflict')
    const again = waiting(await refund(third.token, payment, 1_500))
    expect(await eventsOf(late)).toEqual(['s_refund_request_created', 's_refund_request_expired'])
    expect((await decide(fourth.token, again.id, 'approve')).body).toMatchObject({ refundedAmount: 1_600 })
  })

  it('tells of each request by events, and who has requested and decided it', async () => {
    const { first, second } = await team()
    const payment = await paid()
    const asked = waiting(await refund(first.token, payment, 1_500))
    platform().clock.advance(1)
    const declined = await decide(second.token, asked.id, 'decline')
    expect(declined.body).toMatchObject({
      requestedByName: expect.stringContaining('@'),
      decidedBy: second.memberId,
      decidedByName: expect.stringContaining('@'),
    })
    expect(await read(asked)).toEqual(declined.body)
    expect(await eventsOf(asked)).toEqual(['s_refund_request_created', 's_refund_request_declined'])
    const next = waiting(await refund(first.token, payment, 1_500))
    platform().clock.advance(1)
    await decide(second.token, next.id, 'approve')
    expect(await eventsOf(next)).toEqual(['s_refund_request_created', 's_refund_request_approved'])
    const key = waiting(
      await platform().request('POST', `/api/payments/v1/payments/${payment.id}/refund`, { body: {} }),
    )
    expect(key).toMatchObject({ requestedBy: expect.stringMatching(/^key_/), decidedByName: null })
  })

  it('ends an undecided request in time, once, with its event and its entry in the audit log', async () => {
    const { first } = await team()
    const request = waiting(await refund(first.token, await paid(), 1_500))
    platform().clock.advance(7 * 24 * 60 * 60_000)
    await Promise.all([expireRequests(platform().services), expireRequests(platform().services)])
    expect(await read(request)).toMatchObject({ status: 'expired', decidedBy: null })
    expect(await eventsOf(request)).toEqual(['s_refund_request_created', 's_refund_request_expired'])
    const sql = 'SELECT operation, actor_kind FROM audit_entries WHERE account_id = ? AND resource_id = ? ORDER BY id'
    expect(await platform().services.db.read(sql, [request.accountId, request.id])).toEqual([
      expect.objectContaining({ operation: 'payments.refund' }),
      { operation: 'refundRequests.expire', actor_kind: 'worker' },
    ])
  })

  it('without a limit refunds at once, and owners alone set one', async () => {
    const { owner, first } = await team()
    const refused = await as(first.token, 'refund-limits/set', { currency: 'USD', amount: null })
    expect(refused.error).toMatchObject({ code: 'scope_missing', message: expect.stringContaining('which owner has') })
    expect((await as(owner, 'refund-limits/set', { currency: 'USD', amount: null })).body).toEqual({ data: [] })
    const { body } = await refund(first.token, await paid())
    expect(body).toMatchObject({ status: 'refunded' })
    expect(body).not.toHaveProperty('refundRequest')
  })
})
