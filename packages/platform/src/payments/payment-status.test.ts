import { contract, type PaymentStatus } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { isFinal, mayMove } from './payment-status.ts'

const statuses: readonly PaymentStatus[] = contract.payments.create.response.shape.status.options

test('a payment never leaves a final status', () => {
  const final = statuses.filter(isFinal)
  expect(final.toSorted()).toEqual(['canceled', 'declined', 'failed', 'refunded'])
  for (const from of final) for (const to of statuses) expect(mayMove(from, to), `${from} -> ${to}`).toBe(false)
})

test('every status can be reached from the first', () => {
  const reached = new Set<PaymentStatus>(['created'])
  for (const from of reached) for (const to of statuses) if (mayMove(from, to)) reached.add(to)
  expect(reached).toEqual(new Set(statuses))
})

test('nothing leads back to the first', () => {
  for (const from of statuses) expect(mayMove(from, 'created')).toBe(false)
})

test('money that was taken can only be given back', () => {
  expect(statuses.filter((to) => mayMove('succeeded', to))).toEqual(['partially_refunded', 'refunded'])
})

test('a payment without an answer is neither captured twice nor forgotten: it succeeds or ends', () => {
  expect(statuses.filter((to) => mayMove('processing', to)).toSorted()).toEqual([
    'authorized',
    'declined',
    'failed',
    'requires_action',
    'succeeded',
  ])
})
