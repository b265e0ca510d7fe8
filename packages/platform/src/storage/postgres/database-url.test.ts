import { expect, test } from 'vitest'
import { readDatabaseUrl } from './database-url.ts'

const read = (url: string) => readDatabaseUrl(url, { setting: 'DATABASE_URL', role: 'primary' })

test('several hosts are read as libpq reads them, each with its own port', () => {
  const { hosts, place } = read(
    'postgresql://me:p%40ss@db1,db2:5433,[fd00::1]:5434/shop?sslmode=require&target_session_attrs=read-write',
  )
  const others = { channelBinding: 'disable', connectTimeoutMs: Infinity }
  expect(hosts).toEqual([
    { name: 'db1:5432', url: 'postgres://me:p%40ss@db1/shop?sslmode=require', ...others },
    { name: 'db2:5433', url: 'postgres://me:p%40ss@db2:5433/shop?sslmode=require', ...others },
    { name: '[fd00::1]:5434', url: 'postgres://me:p%40ss@[fd00::1]:5434/shop?sslmode=require', ...others },
  ])
  expect(place).toBe('db1:5432, db2:5433, [fd00::1]:5434, database shop')
})

test('a socket and a URL without a host keep their meaning', () => {
  expect(read('postgres:///shop?host=/var/run/postgresql').hosts).toMatchObject([
    { name: '/var/run/postgresql:5432', url: 'postgres:///shop?host=%2Fvar%2Frun%2Fpostgresql' },
  ])
  expect(read('postgres://localhost').place).toContain('localhost:5432')
})

test('the parameters that hosted databases put into their addresses are taken', () => {
  const url = 'postgres://me@db1/shop?sslmode=require&channel_binding=require&connect_timeout=10'
  expect(read(url).hosts).toEqual([
    {
      name: 'db1:5432',
      url: 'postgres://me@db1/shop?sslmode=require',
      channelBinding: 'require',
      connectTimeoutMs: 10_000,
    },
  ])
  expect(read('postgres://db1/shop?connect_timeout=0').hosts[0]?.connectTimeoutMs).toBe(Infinity)
})

test.each([
  ['postgres://me:hunter2@db1/shop?channel_binding=yes', 'one of disable, prefer, require'],
  ['postgres://me:hunter2@db1/shop?connect_timeout=10s', 'whole seconds'],
  ['postgres://me:hunter2@db1,,db2/shop', 'each host'],
  ['postgres://me:hunter2@db1:port/shop', 'each host'],
  ['postgres://me:hunter2@db1/shop?target_session_attrs=standby', 'any, read-write, primary'],
  ['postgres://me:hunter2@/shop?host=db1,db2', 'before the database'],
  ['mysql://me:hunter2@db1/shop', 'postgres://'],
])('a wrong URL is refused with the rule and without its password: %s', (url, rule) => {
  expect(() => read(url)).toThrow(rule)
  expect(() => read(url)).not.toThrow('hunter2')
  expect(() => read(url)).toThrow(/^DATABASE_URL: /)
})

test('a replica may be asked for as a standby', () => {
  const url = 'postgres://db1,db2/shop?target_session_attrs=prefer-standby'
  expect(readDatabaseUrl(url, { setting: 'TILLWRIGHT_REPLICA_URL', role: 'replica' }).hosts).toHaveLength(2)
})
