import { execFileSync, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { blobsConformance } from '../../../test/storage/blobs/blobs.conformance.ts'
import { systemClock } from '../../runtime/clock.ts'
import { fileBlobs } from './file-blobs.ts'
import { openBlobs } from './open-blobs.ts'

let folder = ''
let stores = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillwright-blobs-'))
})
afterAll(() => rm(folder, { recursive: true }))
const newFolder = () => join(folder, String((stores += 1)), 'blobs')

blobsConformance('files', async () => fileBlobs(newFolder()))

test('a blob is a file that its owner alone can read', async () => {
  const place = newFolder()
  const sha256 = hash('sha256', 'secret')
  await fileBlobs(place).put(sha256, Buffer.from('secret'))
  const file = join(place, sha256.slice(0, 2), sha256.slice(2))
  expect(await readFile(file, 'utf8')).toBe('secret')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
})

test('a blob that cannot be written leaves nothing behind', async () => {
  const place = newFolder()
  const sha256 = hash('sha256', 'x')
  const blobs = fileBlobs(place)
  await blobs.put(sha256, Buffer.from('x'))
  await rm(join(place, sha256.slice(0, 2)), { recursive: true })
  await writeFile(join(place, sha256.slice(0, 2)), 'in the way')
  await expect(blobs.put(sha256, Buffer.from('x'))).rejects.toThrow()
  expect(await blobs.has(sha256)).toBe(false)
  expect(await readdir(place)).toEqual([sha256.slice(0, 2)])
})

test('files of plugins do not fill the disk, on which the database may lie', async () => {
  const place = newFolder()
  const disk = { sizeBytes: 40 * 2 ** 30, freeBytes: 2 ** 30 + 3 }
  const blobs = fileBlobs(place, async () => disk)
  const put = (text: string) => blobs.put(hash('sha256', text), Buffer.from(text))
  const receive = (text: string) =>
    blobs.receive(hash('sha256', text), Readable.from([Buffer.from(text)]), Buffer.byteLength(text))
  await put('abc')
  await expect(put('abcd')).rejects.toThrow('has 1073741827 bytes of room, too few for more files')
  await expect(receive('abcd')).rejects.toThrow('give it room')
  await put('abc') // what is there takes no room
  disk.sizeBytes = 100
  disk.freeBytes = 9
  await put('abcd')
  await expect(receive('abcde')).rejects.toThrow('has 9 bytes of room')
  const names = await readdir(place, { recursive: true })
  expect(names.filter((name) => name.includes('/'))).toHaveLength(2)
})

/** A small disk of its own takes root, on Linux. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0

test.runIf(canMount)('a script is compressed for its buyers also where the disk has no room for the copy', async () => {
  const place = newFolder()
  await mkdir(place, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place])
  onTestFinished(() => void execFileSync('umount', [place]))
  const text = 'a script '.repeat(100)
  const sha256 = hash('sha256', text)
  const blobs = fileBlobs(place)
  await blobs.put(sha256, Buffer.from(text))
  const ballast = join(place, 'ballast')
  await expect(writeFile(ballast, Buffer.alloc(2_000_000))).rejects.toThrow('ENOSPC')
  const read = async () => brotliDecompressSync((await blobs.compressed(sha256)) ?? '').toString()
  expect(await read()).toBe(text)
  await rm(ballast)
  expect(await read()).toBe(text)
})

test('whenever a process is killed, no half blob has a name', async () => {
  const place = newFolder()
  for (const blobsBefore of [1, 2, 3, 5, 8]) {
    const writer = spawn(process.execPath, ['--input-type=module', '--eval', WRITER, place], {
      cwd: import.meta.dirname,
    })
    onTestFinished(() => void writer.kill('SIGKILL'))
    const exited = once(writer, 'exit')
    let seen = 0
    for await (const chunk of writer.stdout) {
      seen += String(chunk).length
      if (seen >= blobsBefore) break
    }
    writer.kill('SIGKILL')
    await exited
  }
  const names = await readdir(place, { recursive: true })
  const whole = names.filter((name) => /^..\/[0-9a-f]{62}$/.test(name))
  expect(whole.length).toBeGreaterThanOrEqual(5)
  for (const name of whole) {
    expect(hash('sha256', await readFile(join(place, name)))).toBe(dirname(name) + basename(name))
  }
})

test('what was left unfinished is cleared away when a store is opened a day later, and blobs stay', async () => {
  const home = dirname(newFolder())
  const sha256 = hash('sha256', 'whole')
  const blobs = await openBlobs({ home }, systemClock)
  await blobs.put(sha256, Buffer.from('whole'))
  const [old, recent] = ['old', 'recent'].map((name) => join(home, 'blobs', sha256.slice(0, 2), `${name}.new`))
  for (const file of [old ?? '', recent ?? '']) await writeFile(file, 'half')
  const dayAgo = new Date(systemClock.now() - 24 * 60 * 60 * 1_000)
  await utimes(old ?? '', dayAgo, dayAgo)
  await openBlobs({ home }, systemClock)
  expect((await readdir(dirname(old ?? ''))).toSorted()).toEqual([sha256.slice(2), 'recent.new'].toSorted())
  expect(await blobs.has(sha256)).toBe(true)
})

/** Puts one large blob after the other and says so, until it is killed. */
const WRITER = `
  import { hash, randomBytes } from 'node:crypto'
  import { fileBlobs } from './file-blobs.ts'
  const blobs = fileBlobs(process.argv[1])
  for (;;) {
    const bytes = randomBytes(2_000_000)
    await blobs.put(hash('sha256', bytes), bytes)
    process.stdout.write('.')
  }
`
