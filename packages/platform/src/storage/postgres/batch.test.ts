import pg from 'pg'
import pgPackage from 'pg/package.json' with { type: 'json' }
import { expect, test } from 'vitest'
import platform from '../../../package.json' with { type: 'json' }
import { OperatorError } from '../../runtime/index.ts'
import { batch, PG_VERSION, type Prepared, requireInternals } from './batch.ts'

test('the pg that is installed is the one that batches are written for, and the package brings no other', () => {
  expect(() => requireInternals(pg, pgPackage.version)).not.toThrow()
  expect([pgPackage.version, platform.dependencies.pg]).toEqual([PG_VERSION, PG_VERSION])
})

test('a pg without an internal that batches use is refused by name, with the version that it should have', () => {
  const refused = () => requireInternals({ Connection: pg.Connection, Query: Map }, '9.0.0')
  expect(refused).toThrow(OperatorError)
  expect(refused).toThrow(/pg 9\.0\.0 .*Query\.handleRowDescription, .*needs pg 8\.23\.1/)
  expect(refused).not.toThrow(/Connection\./)
})

test('a pg without the classes themselves is refused too', () => {
  expect(() => requireInternals({ Connection: undefined, Query: pg.Query }, '9.0.0')).toThrow(/Connection\.parse/)
})

/** The messages that a batch of statements of these names is sent as, each by its letter and the name that it has. */
function messagesOf(names: readonly string[], prepared: Prepared): string[] {
  const pieces: Buffer[] = []
  const stream = { writable: true, write: (piece: Buffer) => void pieces.push(piece) }
  const statements = names.map((name) => ({ name, text: `SELECT '${name}'`, params: [] }))
  batch(statements, prepared, () => {}).submit(Object.assign(Object.create(pg.Connection.prototype), { stream }))
  const [piece = Buffer.alloc(0), ...more] = pieces
  expect(more).toEqual([])
  const sent: string[] = []
  for (let at = 0; at < piece.length;) {
    const kind = piece.toString('latin1', at, at + 1)
    const length = piece.readInt32BE(at + 1)
    const [first = '', second = ''] = piece.toString('latin1', at + 5, at + 1 + length).split('\0')
    sent.push(`${kind} ${kind === 'B' ? second : first}`.trim())
    at += 1 + length
  }
  return sent
}

test('a batch parses and describes each text once, however often it has it, and goes out as one piece', () => {
  const first = ['C Sa', 'P a', 'B a', 'D P', 'E']
  const again = ['B a', 'E']
  expect(messagesOf(['a', 'a', 'a'], new Map())).toEqual([...first, ...again, ...again, 'S'])
  expect(messagesOf(['a', 'a'], new Map([['a', []]]))).toEqual([...again, ...again, 'S'])
  const unnamed = ['P', 'B', 'D P', 'E']
  expect(messagesOf(['', ''], new Map())).toEqual([...unnamed, ...unnamed, 'S'])
})
