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

/** The messages that a batch of statements of these names is sent as. */
function messagesOf(names: readonly string[], prepared: Prepared): string[] {
  const sent: string[] = []
  const note = (kind: string) => (message?: { name?: string; statement?: string } | null) =>
    void sent.push([kind, message?.name ?? message?.statement].filter(Boolean).join(' '))
  const messages = { parse: note('parse'), bind: note('bind'), describe: note('describe'), execute: note('execute') }
  // Close and Parse go out as bytes, which are made once.
  const write = (bytes: Buffer) => void sent.push(bytes.toString('latin1'))
  const connection = { ...messages, sync: note('sync'), stream: { cork() {}, uncork() {}, write } }
  const statements = names.map((name) => ({ name, text: `SELECT '${name}'`, params: [] }))
  batch(statements, prepared, () => {}).submit(Object.assign(Object.create(pg.Connection.prototype), connection))
  return sent
}

test('a batch parses and describes each text once, however often it has it, and goes out as one piece', () => {
  const prepare = "C\0\0\0\x07Sa\0P\0\0\0\x13a\0SELECT 'a'\0\0\0" // by their lengths: 7 and 19 bytes
  const first = [prepare, 'bind a', 'describe', 'execute']
  const again = ['bind a', 'execute']
  expect(messagesOf(['a', 'a', 'a'], new Map())).toEqual([...first, ...again, ...again, 'sync'])
  expect(messagesOf(['a', 'a'], new Map([['a', []]]))).toEqual([...again, ...again, 'sync'])
  const unnamed = ['parse', 'bind', 'describe', 'execute']
  expect(messagesOf(['', ''], new Map())).toEqual([...unnamed, ...unnamed, 'sync'])
})
