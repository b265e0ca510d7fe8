import pg from 'pg'
import pgPackage from 'pg/package.json' with { type: 'json' }
import { expect, test } from 'vitest'
import platform from '../../../package.json' with { type: 'json' }
import { OperatorError } from '../../runtime/index.ts'
import { PG_VERSION, requireInternals } from './batch.ts'

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
