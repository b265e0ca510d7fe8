import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPostgresBinaries } from '../../../../.ci/postgres-binaries.ts'
import { freePort } from '../../../../.ci/free-port.ts'
import { initialise, run } from '../../../../.ci/postgres.ts'
import { snippetsRunBy } from '../../../../.ci/snippets/read-snippets.ts'
import { type Database, openDatabase } from '../../src/storage/index.ts'

const scratch = mkdtempSync(join(tmpdir(), 'tillwright-recovery-'))
chmodSync(scratch, 0o755)
const binaries = findPostgresBinaries(scratch)
const canCopy = !('missing' in binaries) && existsSync(join(binaries.folder, 'pg_basebackup'))

/** A payment as the ledger has it: two lines that sum to zero. */
const pay = (database: Database, paymentId: string) =>
  database.write(
    [500, -500].map((amount) => ({
      sql: `INSERT INTO ledger_entries VALUES ('acc_1', ?, 'capture', 'capture', ?, 'USD', ?, 0)`,
      params: [paymentId, amount > 0 ? 'receivable' : 'revenue', amount],
    })),
  )

test.runIf(canCopy)(
  'PostgreSQL goes back to a moment by its own archive: what was paid before is there, what was paid after is not',
  { timeout: 120_000 },
  async () => {
    onTestFinished(() => rmSync(scratch, { recursive: true, force: true }))
    if ('missing' in binaries) return
    const archive = join(scratch, 'archive')
    mkdirSync(archive)
    if (binaries.user !== undefined) chownSync(archive, binaries.user.uid, binaries.user.gid)
    const data = initialise(binaries, scratch)
    const loopback = { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
    const port = await freePort()
    const server = await run(binaries, data, {
      ...loopback,
      port: String(port),
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    })
    onTestFinished(() => void server.kill('SIGQUIT'))
    const database = await openDatabase({ url: urlOf(port), folder: scratch })
    await pay(database, 'pay_before_the_base_backup')

    const base = join(scratch, 'base')
    mkdirSync(base, { mode: 0o700 })
    if (binaries.user !== undefined) chownSync(base, binaries.user.uid, binaries.user.gid)
    // The line of the page about backups.
    const [, ...words] = (snippetsRunBy('point-in-time')[0]?.code ?? '').replace(/#.*/, '').trim().split(' ')
    const copied = spawnSync(
      join(binaries.folder, 'pg_basebackup'),
      words.map((word) => word.replace(/^\/base$/, base)),
      {
        ...binaries.user,
        env: { ...process.env, PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres' },
        cwd: base,
        encoding: 'utf8',
      },
    )
    expect([copied.status, copied.stderr]).toEqual([0, expect.not.stringContaining('error')])

    for (const n of [1, 2, 3]) await pay(database, `pay_before_${n}`)
    const [moment] = await database.read('SELECT clock_timestamp()::text AS at', [])
    for (const n of [1, 2, 3]) await pay(database, `pay_after_${n}`)
    // The server finishes and archives what it has before it ends.
    await database.close()
    const ended = new Promise((resolve) => server.on('exit', resolve))
    server.kill('SIGINT')
    await ended

    writeFileSync(join(base, 'recovery.signal'), '')
    const again = await freePort()
    const recovered = await run(binaries, base, {
      ...loopback,
      port: String(again),
      archive_mode: 'off',
      hot_standby: 'off', // takes connections when it has been promoted
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: String(moment?.['at']),
      recovery_target_action: 'promote',
    })
    onTestFinished(() => void recovered.kill('SIGQUIT'))
    const back = await openDatabase({ url: urlOf(again), folder: scratch })
    onTestFinished(() => back.close())
    const payments = await back.read('SELECT DISTINCT payment_id FROM ledger_entries ORDER BY payment_id', [])
    expect(payments.map((row) => row['payment_id'])).toEqual([
      'pay_before_1',
      'pay_before_2',
      'pay_before_3',
      'pay_before_the_base_backup',
    ])
    expect(await back.read('SELECT SUM(amount) AS total FROM ledger_entries', [])).toEqual([{ total: 0 }])
    expect(await pay(back, 'pay_afterwards')).toMatchObject({ outcome: 'committed' })
  },
)

const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`
