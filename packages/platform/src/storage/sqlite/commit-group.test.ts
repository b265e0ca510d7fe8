import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Statement } from '../database.ts'
import { packer, unpacker } from './commit-group.ts'

const query = {
  sql: fc.constantFrom('INSERT', 'UPDATE', 'DELETE', 'SELECT'),
  params: fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 3 }),
}
const statement: fc.Arbitrary<Statement> = fc.oneof(
  fc.record(query),
  fc.record({ ...query, expect: fc.nat(2) }),
  fc.record({ ...query, shared: fc.constant(true as const) }),
)

test('transactions arrive as they were sent, group after group', () => {
  const groups = fc.array(fc.array(fc.array(statement, { maxLength: 4 }), { maxLength: 4 }), { maxLength: 4 })
  fc.assert(
    fc.property(groups, (sent) => {
      const [pack, unpack] = [packer(), unpacker()]
      for (const transactions of sent) expect(unpack(structuredClone(pack(transactions)))).toEqual(transactions)
    }),
    { numRuns: 100 },
  )
})

test('a text travels once', () => {
  const pack = packer()
  const transactions = [[{ sql: 'UPDATE', params: [] }], [{ sql: 'UPDATE', params: [1] }]]
  expect([pack(transactions).texts, pack(transactions).texts]).toEqual([['UPDATE'], []])
})

test('texts that never end do not fill the threads', () => {
  const [pack, unpack] = [packer(), unpacker()]
  const sent: number[] = []
  for (let i = 0; i < 2_500; i++) {
    const transactions = [[{ sql: `SELECT ${i}`, params: [] }]]
    const packed = pack(transactions)
    sent.push(packed.from)
    expect(unpack(packed)).toEqual(transactions)
  }
  expect(Math.max(...sent)).toBeLessThan(1_000)
})
