import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { blobsConformance } from '../../../test/storage/blobs/blobs.conformance.ts'
import { type Blobs, BlobsUnavailable } from './blobs.ts'
import { fileBlobs } from './file-blobs.ts'
import { s3Blobs } from './s3-blobs.ts'

/** The store's double knows this one key; it does not check what is signed with it. */
const KEY = 'S3RVER'

let folder = ''
let endpoint = ''
let store: S3rver
let prefixes = 0
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', KEY)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEY)
  folder = await mkdtemp(join(tmpdir(), 'tillwright-s3-'))
  store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  const { port } = await store.run()
  endpoint = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await store.close()
  await rm(folder, { recursive: true })
})

const newPlace = () => ({ bucket: 'files', prefix: `tests/${(prefixes += 1)}`, endpoint, region: 'eu-west-1' })

blobsConformance('an S3 store', async () => s3Blobs(newPlace()))

test('the files of a folder are there when they are copied to the store by their paths', async () => {
  const from = await mkdtemp(join(tmpdir(), 'tillwright-files-'))
  onTestFinished(() => rm(from, { recursive: true }))
  const bytes = Buffer.from('a page of a plugin. '.repeat(200))
  const sha256 = hash('sha256', bytes)
  const files = fileBlobs(from)
  await files.put(sha256, bytes)
  const compressed = await files.compressed(sha256)
  const place = newPlace()
  const client = new S3Client({ endpoint, region: place.region, forcePathStyle: true })
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const Key = `${place.prefix}/${relative(from, file)}`
    await client.send(new PutObjectCommand({ Bucket: place.bucket, Key, Body: await readFile(file) }))
  }
  const moved = s3Blobs(place)
  expect([await moved.get(sha256), await moved.compressed(sha256)].map(hexOf)).toEqual([bytes, compressed].map(hexOf))
  await moved.remove(sha256)
  expect(await moved.has(sha256)).toBe(false)
})

const hexOf = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('hex'))

test('two prefixes of a bucket are two stores', async () => {
  const [one, other] = [s3Blobs(newPlace()), s3Blobs({ ...newPlace(), prefix: '' })]
  const sha256 = hash('sha256', 'here')
  await one.put(sha256, Buffer.from('here'))
  expect([await one.has(sha256), await other.has(sha256)]).toEqual([true, false])
})

test('bytes that have another hash than their name are a fault, and not served', async () => {
  const place = newPlace()
  const sha256 = hash('sha256', 'whole')
  const wrong = s3Blobs(place)
  // A store keeps the checksum it is given; this one does not verify it.
  await wrong.put(sha256, Buffer.from('other'))
  await expect(wrong.get(sha256)).rejects.toBeInstanceOf(BlobsUnavailable)
  await expect(wrong.compressed(sha256)).rejects.toBeInstanceOf(BlobsUnavailable)
})

test('a bucket that is not there, a store that is dead and one that refuses are faults, and say why', async () => {
  const sha256 = hash('sha256', 'x')
  const acts = (blobs: Blobs) => [
    () => blobs.put(sha256, Buffer.from('x')),
    () => blobs.get(sha256),
    () => blobs.has(sha256),
    () => blobs.remove(sha256),
  ]
  const noBucket = s3Blobs({ ...newPlace(), bucket: 'nobody' })
  await expect(noBucket.get(sha256)).rejects.toThrow(
    /: it answers 404 NoSuchBucket \(The specified bucket does not exist\)/,
  )
  for (const act of acts(s3Blobs({ ...newPlace(), endpoint: 'http://127.0.0.1:9' }))) {
    await expect(act()).rejects.toBeInstanceOf(BlobsUnavailable)
    await expect(act()).rejects.toThrow('connect ECONNREFUSED 127.0.0.1:9')
  }
  // What Amazon says of an object that is not there to somebody who may not list the bucket.
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(403).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  for (const act of acts(s3Blobs({ ...newPlace(), endpoint: endpointOf(server) })))
    await expect(act()).rejects.toThrow(/: it answers 403; .* s3:ListBucket/)
})

test('whoever reads from a store that says nothing waits less than ten seconds', { timeout: 20_000 }, async () => {
  const server = createServer((request) => void request.resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  const silent = s3Blobs({ ...newPlace(), endpoint: endpointOf(server) })
  const began = performance.now()
  const sha256 = hash('sha256', 'x')
  const ends = await Promise.allSettled([silent.get(sha256), silent.has(sha256), silent.compressed(sha256)])
  for (const end of ends) expect(end).toEqual({ status: 'rejected', reason: expect.any(BlobsUnavailable) })
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('a request is signed, and tells the store the hash of what it is to keep', async () => {
  const seen: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    seen.push({ method: request.method, url: request.url, ...request.headers })
    request.resume()
    response.writeHead(request.method === 'HEAD' ? 404 : 200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const sha256 = hash('sha256', 'signed')
  await s3Blobs({ bucket: 'files', prefix: 'p', endpoint: endpointOf(server), region: 'eu-west-1' }).put(
    sha256,
    Buffer.from('signed'),
  )
  expect(seen.at(-1)).toMatchObject({
    method: 'PUT',
    url: expect.stringMatching(new RegExp(`^/files/p/${sha256.slice(0, 2)}/${sha256.slice(2)}`)),
    authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=S3RVER\/\d{8}\/eu-west-1\/s3\/aws4_request, /),
    'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
  })
})

function endpointOf(server: Server): string {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}
