import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backedUp, emptyPlace, folderOf, newFolder } from '../testing/backed-up.ts'
import { canMount, fullDisk } from '../testing/full-disk.ts'
import { runCommand } from '../testing/run-command.ts'

test('nothing is restored beside what a killed platform has left of another database', async () => {
  const { local, to } = await backedUp('sqlite')
  const place = await emptyPlace(local, 'sqlite')
  for (const left of ['tillwright.db-wal', 'tillwright.db.run']) {
    const file = join(folderOf(place), left)
    await writeFile(file, 'of another one')
    const { code, err } = await runCommand(['restore', '--from', to], place)
    expect([code, err]).toEqual([1, expect.stringContaining(`${file} is there already: restore into an empty folder`)])
    await rm(file)
  }
  expect(await runCommand(['restore', '--from', to], place)).toMatchObject({ code: 0, err: '' })
})

test('a file that is no database is neither backed up nor worked on, which is said in a line', async () => {
  const { local } = await backedUp('sqlite')
  const place = await emptyPlace(local, 'sqlite')
  const file = join(folderOf(place), 'tillwright.db')
  await writeFile(file, 'no database, but as long as the head of one'.repeat(400))
  for (const args of [
    ['backup', '--to', await newFolder()],
    ['keys', 'list', '--database'],
    ['migrate', '--status'],
  ]) {
    const { code, err } = await runCommand(args, place)
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^error .*It is damaged: keep it, and restore a backup.*\n$/),
    ])
    expect(err).toContain(`${file} cannot be opened`)
  }
})

test.runIf(canMount)('on a disk without any room a command says so, and nothing of where it was', async () => {
  const { folder, makeRoom } = await fullDisk({})
  const create = () => runCommand(['accounts', 'create', '--name', 'Shop'], { TILLWRIGHT_HOME: folder })
  expect(await create()).toEqual({ code: 1, out: '', err: "error The database's disk is full: make room.\n" })
  await makeRoom()
})

test('no backup is taken of a file that was copied without its log, unless one asks for it', async () => {
  const { local } = await backedUp('sqlite')
  const place = await emptyPlace(local, 'sqlite')
  await copyFile(join(local.home, 'tillwright.db'), join(folderOf(place), 'tillwright.db'))
  const backup = async (settings = {}) => runCommand(['backup', '--to', await newFolder()], { ...place, ...settings })
  expect(await backup()).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining('payments that were confirmed are missing'),
  })
  // What there is of a young one is not even its tables.
  expect((await backup({ TILLWRIGHT_ACCEPT_INCOMPLETE_COPY: 'yes' })).err).toBe('error The database is empty.\n')
})

test('neither is a backup taken nor restored while the store of files is away, which is said in a line', async () => {
  const { local, to } = await backedUp('sqlite')
  const away = {
    TILLWRIGHT_BLOBS: 's3://files?endpoint=http://127.0.0.1:9&region=eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
  }
  const place = await emptyPlace(local, 'sqlite')
  for (const [args, settings] of [
    [['backup', '--to', await newFolder()], local.settings],
    [['restore', '--from', to], place],
  ] as const) {
    const { code, err } = await runCommand(args, { ...settings, ...away })
    expect([code, err]).toEqual([
      1,
      'error The store of files (TILLWRIGHT_BLOBS) cannot be asked: connect ECONNREFUSED 127.0.0.1:9.\n',
    ])
  }
  expect(await runCommand(['restore', '--from', to], place)).toMatchObject({ code: 0, err: '' })
})
