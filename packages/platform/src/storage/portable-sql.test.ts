import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')
const page = readFileSync(join(src, '../../../apps/docs/pages/operating/postgresql.md'), 'utf8')
const schema = readFileSync(join(import.meta.dirname, 'schema/postgres.sql'), 'utf8')

/** Files whose SQL asks or changes the server itself, and is never part of a request. */
const ASKS_THE_SERVER = ['operator/**', 'storage/sqlite/**', 'storage/postgres/**', 'storage/schema-state.ts']

test('the page lists every word and function of SQL that the platform uses, and no other', () => {
  const statements = allStatements()
  expect(statements.length).toBeGreaterThan(300)
  expect(sorted(statements.flatMap(wordsOf))).toEqual(listed('Words'))
  expect(sorted(statements.flatMap(functionsOf))).toEqual(listed('Functions'))
})

test('nothing is used that one of the distributed engines does not have', () => {
  const forbidden =
    /\b(LISTEN|NOTIFY|TRIGGER|CREATE SEQUENCE|nextval|SERIAL|REFERENCES|TEMP|TEMPORARY|LATERAL|TABLESAMPLE|XML|pg_advisory\w*)\b/i
  const used = [...allStatements(), schema].filter((sql) => forbidden.test(sql))
  expect(used).toEqual([])
})

test('an UPDATE computes with nothing that changes from row to row', () => {
  const volatile = /\b(random|clock_timestamp|gen_random_uuid|nextval)\s*\(|\{now\}/i
  expect(
    allStatements().filter(
      (sql) => /^\s*UPDATE\b/.test(sql) && volatile.test(sql) && !/processes|shared_time/.test(sql),
    ),
  ).toEqual([])
})

test('columns are text and whole numbers', () => {
  const columns = [...schema.matchAll(/^ {2}(?!PRIMARY KEY|CONSTRAINT)[a-z_0-9]+ ([A-Z]+)/gm)]
  expect(columns.length).toBeGreaterThan(400)
  expect(new Set(columns.map(([, type]) => type))).toEqual(new Set(['TEXT', 'BIGINT']))
})

/** Tables whose primary key does not start with the account, and the reason. */
const OTHER_KEYS: Readonly<Record<string, string>> = {
  accounts: 'its id is the account',
  migrations: 'of the platform itself',
  schema_state: 'of the platform itself',
  last_backup: 'of the platform itself',
  processes: 'of the platform itself',
  shared_time: 'of the platform itself',
  data_keys: 'of the platform itself',
  data_key_wraps: 'of the platform itself',
  key_uses: 'of the platform itself',
  reseals: 'of the platform itself',
  vault_keys: 'of the vault itself',
  code_recipients: 'of the vault itself',
  code_key_wraps: 'of the vault itself',
  sign_in_ceremonies: 'who signs in is not known yet',
  rate_buckets: 'its subject is an account or an address',
  plugin_blobs: 'bytes by their hash, which accounts share',
  domain_hostnames: 'decides which account owns a name',
  threeds_providers: 'set by the operator for all accounts',
}

/** Unique across accounts, because they are how an account is found. */
const FINDS_THE_ACCOUNT = [
  'api_keys_by_hash',
  'domain_routes_by_place',
  'funnel_sessions_by_code',
  'funnel_sessions_by_token',
  'member_identities_by_subject',
  'member_sessions_by_token',
  'members_by_invitation',
  'passkeys_by_credential',
  'plugin_aliases_by_host',
  'plugin_deployments_by_host',
  'recovery_codes_by_hash',
  'replaced_session_tokens_by_hash',
  'threeds_sessions_by_transaction',
]

test('keys begin with the account, and those that do not are named with the reason', () => {
  const tables = [...schema.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\);/g)]
  const strangers = tables.flatMap(([, table = '', body = '']) =>
    /PRIMARY KEY \(account_id\b/.test(body) ? [] : [table],
  )
  expect(strangers.toSorted()).toEqual(Object.keys(OTHER_KEYS).toSorted())
  const unique = [...schema.matchAll(/CREATE UNIQUE INDEX (\w+) ON \S+ USING btree \((\w+)/g)]
  const global = unique.flatMap(([, name = '', first]) => (first === 'account_id' ? [] : [name]))
  expect(global.toSorted()).toEqual(FINDS_THE_ACCOUNT)
})

test('a word or function that is new is found', () => {
  const sql = 'SELECT pg_notify(?, ?) FROM a ORDER BY b NULLS FIRST'
  expect(wordsOf(sql)).toContain('NULLS')
  expect(functionsOf(sql)).toEqual(['pg_notify'])
})

/** Every SQL text and piece of one in the source; `_x_` stands for what is put into it. */
function allStatements(): string[] {
  const files = globSync('**/*.ts', { cwd: src, exclude: ['**/*.test.ts', ...ASKS_THE_SERVER] })
  return files.flatMap((file) => {
    const code = readFileSync(join(src, file), 'utf8')
      .replaceAll(/\/\*[\s\S]*?\*\//g, '')
      .replaceAll(/(^|\s)\/\/.*$/gm, '')
    const texts = code.matchAll(/`((?:[^`\\]|\\[\s\S])*)`|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g)
    return [...texts]
      .map(([, template, single, double]) => (template ?? single ?? double ?? '').replaceAll(/\$\{[^{}]*\}/g, ' _x_ '))
      .filter((text) =>
        /^\s*\(?\s*(SELECT|INSERT INTO|UPDATE \w+|DELETE FROM|WITH|CREATE|ALTER TABLE|AND|OR|WHERE|ON CONFLICT|EXISTS|NOT EXISTS|CASE|ORDER BY)\s/.test(
          text,
        ),
      )
  })
}

function wordsOf(sql: string): string[] {
  return [...withoutTexts(sql).matchAll(/(?<![\w{])[A-Z][A-Z]+(?![\w}])/g)].map(([word]) => word)
}

/** Not the names of tables and common table expressions before their columns. */
function functionsOf(sql: string): string[] {
  const names = [
    ...withoutTexts(sql).matchAll(
      /(?<!(?:INTO|TABLE|ON|WITH|RECURSIVE|TABLE IF NOT EXISTS) +)\b([a-z_][a-z0-9_]*)\s*\(/g,
    ),
  ]
  return names.map(([, name = '']) => name).filter((name) => name !== '_x_' && name !== 'map' && name !== 'wants')
}

const withoutTexts = (sql: string) => sql.replaceAll(/'[^']*'/g, "''")
const sorted = (names: readonly string[]) => [...new Set(names)].toSorted()

/** The names in code quotes on the page's line that begins with this word. */
function listed(what: string): string[] {
  const line = page.split('\n\n').find((paragraph) => paragraph.startsWith(`${what}: `)) ?? ''
  return sorted([...line.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}
