import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readConfig } from '@tillwright/platform'
import { describe, expect, onTestFinished, test } from 'vitest'
import { firstOf, soaks } from '../../../../.ci/soaks.ts'
import { lastBackup, openDatabaseBeside, placeOf } from '../../../platform/src/storage/index.ts'
import { backedUp, emptyPlace, folderOf, pay, post } from '../testing/backed-up.ts'
import { runCommand } from '../testing/run-command.ts'
import { startAt, startLocal, testableEngines } from '../testing/start-local.ts'

/** The other engine, to which the tests below add its own; in a soak both. */
function targetsOf(engine: 'sqlite' | 'postgres') {
  const others = testableEngines().filter((one) => one !== engine)
  return soaks || others.length === 0 ? testableEngines() : others
}

describe.each(testableEngines())('a backup of %s', (engine) => {
  test('is taken while payments go on, proved, and restored on either engine, where money goes back', async () => {
    const { local, payments, to, run, report } = await backedUp(engine)
    expect(report).toMatchObject({ payments: 2, blobs: { all: 1, copied: 1 }, missingBlobs: [] })
    expect(report.keyIds).toHaveLength(2)
    await pay(local)
    const database = await openDatabaseBeside(placeOf(readConfig(local.settings)))
    onTestFinished(() => database.close())
    const signedIn = `INSERT INTO member_sessions (account_id, id, member_id, token_hash, method, address, created_at,
      last_used_at, expires_at) VALUES ('acc_1', 'ses_1', 'mem_1', 'hash', 'link', '192.0.2.7', 0, 0, 9000000000000)`
    expect(await database.write([{ sql: signedIn, params: [] }])).toMatchObject({ outcome: 'committed' })
    const again = JSON.parse((await run('backup', '--to', to)).out)
    expect(again).toMatchObject({ payments: 3, blobs: { all: 1, copied: 0 } })
    const takenAtMs = Date.parse(again.takenAt)
    expect(await lastBackup(database)).toMatchObject({ takenAtMs, engine, missingBlobs: 0, verifiedAtMs: null })
    await run('restore', '--from', report.folder, '--verify')
    expect(await lastBackup(database)).toMatchObject({ takenAtMs, verifiedAtMs: null })
    const proof = await run('restore', '--from', to, '--verify')
    expect([proof.code, proof.err]).toEqual([0, ''])
    expect(await lastBackup(database)).toMatchObject({ takenAtMs, verifiedAtMs: expect.any(Number) })
    expect(JSON.parse(proof.out)).toMatchObject({ payments: 3, blobs: 1, openedCard: true, isProof: true, engine })
    for (const target of targetsOf(engine)) {
      const place = await emptyPlace(local, target)
      const restored = await runCommand(['restore', '--from', to], place)
      expect([restored.code, restored.err]).toEqual([0, ''])
      expect(restored.out).toMatch(/rows .*3 payments, as they were\n/)
      const afresh = await openDatabaseBeside(placeOf(readConfig(place)))
      expect(await afresh.read('SELECT id FROM member_sessions', []).finally(() => afresh.close())).toEqual([])
      const twice = await runCommand(['restore', '--from', to], place)
      expect([twice.code, twice.err]).toEqual([1, expect.stringMatching(/there already|not empty/)])
      const url = 'DATABASE_URL' in place ? place.DATABASE_URL : null
      const back = await startAt(folderOf(place), url === null ? null : { url, drop: async () => {} })
      try {
        const refund = await post(back, `/api/payments/v1/payments/${payments[0]}/refund`, { amount: 500 })
        expect(refund).toMatchObject({ id: payments[0], refundedAmount: 500 })
      } finally {
        await back.stop()
      }
    }
  })
})

/** The files have the same contents whichever engine they come from. */
describe.each(firstOf(testableEngines()))('a backup of %s', (engine) => {
  test('that is older than an erasure erases the customer again, whom a newer backup or a file names', async () => {
    const { local, to, run, report } = await backedUp(engine)
    const { apiUrl, adminApiKey } = local.file
    const read = async (path: string, from = apiUrl) => {
      const answer = await fetch(from + path, { headers: { authorization: `Bearer ${adminApiKey}` } })
      return answer.json()
    }
    const { data } = await read('/api/payments/v1/customers?q=ada%40example.com')
    const customerId: string = data[0].id
    const erase = `/api/payments/v1/customers/${customerId}/erase`
    const { id } = await post(local, erase, {})
    const file = join(to, 'erasures.csv')
    const headers = { authorization: `Bearer ${adminApiKey}`, accept: 'text/csv' }
    const list = await (await fetch(`${apiUrl}/api/payments/v1/erasures`, { headers })).text()
    // As the lists of two accounts stand below each other.
    await writeFile(file, list + list)
    const restored = async (...args: string[]) => {
      const place = await emptyPlace(local, engine)
      const { code, out, err } = await runCommand(['restore', '--from', report.folder, ...args], place)
      return { place, out, result: [code, err, /erased customers +(\d+)/.exec(out)?.[1]] }
    }
    const recovered = await restored()
    expect(recovered.result).toEqual([0, '', undefined])
    expect(recovered.out).toMatch(
      new RegExp(`revoked after ${report.takenAt}.*erased after ${report.takenAt}\\s+are back`, 's'),
    )
    const repeat = async (...args: string[]) => {
      const { code, out, err } = await runCommand(['erasures', 'repeat', ...args], recovered.place)
      return [code, out, err]
    }
    expect(await repeat('--file', file)).toEqual([0, `${customerId}\nErased again: 1 of 1.\n`, ''])
    expect(await repeat('--file', file)).toEqual([0, 'None of 1 erasures had to be repeated.\n', ''])
    expect(await repeat()).toEqual([1, '', expect.stringContaining('--file')])
    expect((await restored('--erasures', file)).result).toEqual([0, '', '1'])
    expect((await restored('--erasures', file, '--verify')).result).toEqual([0, '', '1'])
    for (const verify of [[], ['--verify']]) {
      const unreadable = await restored('--erasures', join(to, 'blobs'), ...verify)
      expect(unreadable.result).toEqual([1, expect.stringContaining('--erasures'), undefined])
    }
    const newest = JSON.parse((await run('backup', '--to', to)).out)
    expect(await repeat('--backups', to)).toEqual([0, 'None of 1 erasures had to be repeated.\n', ''])
    const { place, result, out } = await restored()
    expect(result).toEqual([0, '', '1'])
    expect(out).toMatch(new RegExp(`revoked after ${report.takenAt}.*erased after ${newest.takenAt}\\s+are back`, 's'))
    await rm(join(newest.folder, 'customer_erasures.jsonl.zst'))
    const refusal = expect.stringMatching(/it is missing.* Move .* elsewhere, and name those .* with --erasures/)
    expect((await restored()).result).toEqual([1, refusal, undefined])
    const url = 'DATABASE_URL' in place ? place.DATABASE_URL : null
    const back = await startAt(folderOf(place), url === null ? null : { url, drop: async () => {} })
    try {
      const erasure = () => read(`/api/payments/v1/erasures/${id}`, back.file.apiUrl)
      await expect.poll(async () => (await erasure()).status, { timeout: 20_000 }).toBe('succeeded')
      expect(await read(`/api/payments/v1/customers/${customerId}`, back.file.apiUrl)).toMatchObject({ email: '' })
    } finally {
      await back.stop()
    }
  })

  test('that is not whole, or does not fit, is refused in words, and nothing is restored', async () => {
    const { local, sha256, to, run, report } = await backedUp(engine)
    const place = await emptyPlace(local, engine)
    const refused = async (why: RegExp, from = to) => {
      const { code, err } = await runCommand(['restore', '--from', from], place)
      expect([code, err]).toEqual([1, expect.stringMatching(why)])
    }
    const manifestFile = join(report.folder, 'manifest.json')
    const manifest = await readFile(manifestFile, 'utf8')
    const blob = join(to, 'blobs', sha256.slice(0, 2), sha256.slice(2))
    const bytes = await readFile(blob)

    await writeFile(blob, 'altered')
    await refused(/1 of 1 files of plugins are missing or altered/)
    await rm(blob)
    await refused(/1 of 1 files of plugins are missing or altered/)
    expect(JSON.parse((await run('backup', '--to', to)).out).blobs.copied).toBe(1)
    expect(Buffer.compare(await readFile(blob), bytes)).toBe(0)

    await writeFile(manifestFile, manifest.replace(/"number": 1,/, '"number": 9999,'))
    const newer =
      'newer version has brought to schema 9999, and this version knows schema 1: restore it with that version'
    await refused(
      new RegExp(`${newer} or a later one\\. This version can be started on what is restored\\.`),
      report.folder,
    )
    await writeFile(manifestFile, manifest.replace(/"number": 1,\s+"oldest": \d+/, '"number": 9999, "oldest": 9999'))
    await refused(new RegExp(`${newer} or a later one\\.$`, 'm'), report.folder)
    await writeFile(manifestFile, manifest.slice(0, 500))
    await refused(/damaged: it is not JSON/, report.folder)
    // It shows when the rows are there already.
    await writeFile(manifestFile, manifest.replace(/"entries": (\d+)/, '"entries": 9$1'))
    await refused(/sums of the ledger are not those/, report.folder)
    await writeFile(manifestFile, manifest)

    expect((await readdir(folderOf(place))).filter((name) => name.startsWith('tillwright.db'))).toEqual([])
    const rows = join(report.folder, 'payments.jsonl.zst')
    await truncate(rows, (await readFile(rows)).length - 20)
    await refused(/payments\.jsonl\.zst: it is cut off or was altered/, report.folder)
    await rm(manifestFile)
    await rm(join(to, 'backups'), { recursive: true })
    await refused(/There is no backup in/)
  })

  test('of which the key is lost, or is another, says so before anything is restored, and the right key restores it', async () => {
    const { local, to, sha256 } = await backedUp(engine)
    const place = await emptyPlace(local, engine)
    const key = await readFile(join(folderOf(place), 'vault.key'))
    const restores = (...options: string[]) => runCommand(['restore', '--from', to, ...options], place)
    const refused = async (why: RegExp) => {
      for (const options of [['--verify'], []])
        expect(await restores(...options)).toMatchObject({ code: 1, err: expect.stringMatching(why) })
    }
    await writeFile(join(folderOf(place), 'vault.key'), randomBytes(32).toString('base64'))
    await refused(/TILLWRIGHT_VAULT_KEY: .*sealed under the master keys \w+ and \w+.*Nothing was restored/s)
    await rm(join(folderOf(place), 'vault.key'))
    await refused(/vault\.key is missing.*Nothing was restored/s)
    expect(await readdir(folderOf(place))).toEqual(['secrets.key', 'seed.json'])
    await writeFile(join(folderOf(place), 'vault.key'), key, { mode: 0o600 })
    expect(await restores()).toMatchObject({ code: 0, err: '' })
    expect(await readFile(join(folderOf(place), 'blobs', sha256.slice(0, 2), sha256.slice(2)))).toHaveLength(20_000)
  })

  test('whose newest card was purged is proved by another card, and without any', async () => {
    const { local, to, run } = await backedUp(engine)
    const proof = async () => {
      expect((await run('backup', '--to', to)).code).toBe(0)
      const { code, err, out } = await run('restore', '--from', to, '--verify')
      expect([code, err]).toEqual([0, ''])
      return JSON.parse(out).openedCard
    }
    const db = await openDatabaseBeside(placeOf(readConfig(local.settings)))
    const [newest] = await db.read('SELECT id FROM cards ORDER BY created_at DESC LIMIT 1', [])
    await db.close()
    expect((await run('cards', 'purge', '--card', String(newest?.['id']))).code).toBe(0)
    expect(await proof()).toBe(true)
    expect((await run('cards', 'purge', '--everything')).code).toBe(0)
    expect(await proof()).toBe(null)
  })
})

test('backups older than those to keep are deleted once a new one is whole, and nothing else is', async () => {
  const { local, to, sha256, run, report } = await backedUp('sqlite')
  const folder = join(to, 'backups')
  const killed = '2020-01-01T00-00-00.000Z'
  await mkdir(join(folder, killed))
  await writeFile(join(folder, killed, 'payments.jsonl.zst'), 'cut off')
  await mkdir(join(folder, 'notes'))
  const kept = await mkdtemp(join(tmpdir(), 'tillwright-kept-'))
  onTestFinished(() => rm(kept, { recursive: true }))
  await writeFile(join(kept, 'manifest.json'), '{}')
  const link = '2020-01-02T00-00-00.000Z'
  await symlink(kept, join(folder, link), 'junction')
  const backup = async (...options: string[]) => {
    const { code, err, out } = await run('backup', '--to', to, ...options)
    expect([code, err]).toEqual([0, ''])
    return JSON.parse(out)
  }
  const second = await backup('--keep', '2')
  expect(second.deleted).toEqual([join(folder, killed)])
  expect((await backup()).deleted).toEqual([])
  const fourth = await backup('--keep', '1')
  expect(fourth.deleted).toHaveLength(3)
  expect(fourth.deleted.slice(0, 2)).toEqual([report.folder, second.folder])
  expect((await readdir(folder)).toSorted()).toEqual([link, basename(fourth.folder), 'notes'].toSorted())
  expect(await readdir(kept)).toEqual(['manifest.json'])
  expect(await run('restore', '--from', to, '--verify')).toMatchObject({ code: 0, err: '' })

  // One that lacks files of plugins is no reason to delete one that has them.
  await rm(join(local.home, 'blobs'), { recursive: true })
  await rm(join(to, 'blobs', sha256.slice(0, 2)), { recursive: true })
  const lacking = await run('backup', '--to', to, '--keep', '1')
  expect([lacking.code, JSON.parse(lacking.out)]).toMatchObject([1, { deleted: [], missingBlobs: [sha256] }])
  expect(await run('backup', '--to', to, '--keep', '0')).toMatchObject({
    code: 2,
    err: expect.stringContaining('at least 1'),
  })
})

test.for([
  ['/proc/backups', 'no folder can be made there'],
  ['/dev/null/backups', 'a file is where a folder should be'],
] as const)('a backup to %s, which cannot be written, ends at once and says why', async ([folder, why]) => {
  const local = await startLocal()
  onTestFinished(() => local.stop())
  const { code, out, err } = await runCommand(['backup', '--to', folder], local.settings)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(new RegExp(`^error No backup was written to ${folder}/.*: ${why}\\.\n$`))
})
