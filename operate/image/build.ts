import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { buildCli } from '../../packages/cli/build.ts'
import { imageSizes, writeSizes } from '../../.ci/sizes.ts'
import { pack } from '../../release/pack-all.ts'
import { type Image, type Layer, sha256, writeLayout, type WrittenImage } from './layout.ts'
import { collectPackages, filesOf } from './npm-packages.ts'
import { sbomOf } from './sbom.ts'
import { HOME, systemFiles, USER, withoutSymbols } from './system-files.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** Plain JavaScript, which any Node can read. Fetches the Node that we develop with, checked by its hash. */
const { nodeFolder }: { nodeFolder: () => string } = await import(
  new URL('../../packages/cli/launch/bring-node.mjs', import.meta.url).href
)

/** Our own packages that production runs. The bank simulator is not among them. */
const ours = [
  'packages/contract',
  'packages/design-tokens',
  'packages/emv-3ds',
  'packages/checkout',
  'apps/console',
  'apps/docs',
  'packages/platform',
  'packages/cli',
] as const
const FOLDER = '/usr/lib/tillwright'
const NODE = '/usr/local/bin/node'
const PROGRAM = '/usr/local/bin/tillwright'
const SBOM = '/usr/share/doc/tillwright/sbom.cdx.json'

/** A planned image, and its bill of materials. */
export interface PlannedImage {
  image: Image
  sbom: string
}

/**
 * Plans the container image from what is installed and built in this workspace: Node as it is published, but without its
 * symbols, the libraries that it needs, and the packages that production runs.
 */
export async function planImage(): Promise<PlannedImage> {
  const scratch = await mkdtemp(join(tmpdir(), 'tillwright-image-'))
  try {
    return await plan(scratch)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function plan(scratch: string): Promise<PlannedImage> {
  const node = join(nodeFolder(), 'node')
  const published = await readFile(node)
  const program = withoutSymbols(published)
  const packages = await collectPackages(await unpackOurs(scratch))
  const system = await systemFiles(node)
  const version: string = JSON.parse(await readFile(join(root, 'packages/cli/package.json'), 'utf8')).version
  const [revision = '', commitS = ''] = (await run('git', ['log', '-1', '--format=%H %ct'], { cwd: root })).stdout
    .trim()
    .split(' ')
  const createdS = Number(process.env['SOURCE_DATE_EPOCH'] ?? commitS)
  const nodeVersion = (await run(node, ['--version'])).stdout.trim().slice(1)
  const sbom = sbomOf({
    version,
    createdS,
    node: { version: nodeVersion, sha256: sha256(program), publishedSha256: sha256(published) },
    debian: system.packages,
    npm: packages,
  })
  const own = packages.filter(({ name }) => name.startsWith('@tillwright/'))
  const others = packages.filter((each) => !own.includes(each))
  const files = async (of: typeof packages) => (await Promise.all(of.map((each) => filesOf(each, FOLDER)))).flat()
  const nodeLicense = {
    path: '/usr/share/doc/node/LICENSE',
    mode: 0o644,
    content: await readFile(join(nodeFolder(), '../LICENSE')),
  }
  const layers: Layer[] = [
    { comment: 'shared libraries of Debian', entries: system.entries },
    { comment: `Node ${nodeVersion}`, entries: [{ path: NODE, mode: 0o755, content: program }, nodeLicense] },
    { comment: 'dependencies', entries: await files(others) },
    {
      comment: `Tillwright ${version}`,
      entries: [
        ...(await files(own)),
        { path: PROGRAM, mode: 0o755, content: Buffer.from(launcher) },
        { path: SBOM, mode: 0o644, content: Buffer.from(sbom) },
      ],
    },
  ]
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  return { image: { architecture, createdS, layers, config: runConfig(version, revision), tag: version }, sbom }
}

/** There is no `env` in the image that could look for Node. */
const launcher = `#!${NODE}\nimport('${FOLDER}/node_modules/@tillwright/cli/dist/main.js')\n`

/** Packs our packages as a release would, and unpacks them; the command line without simulated banks and esbuild. */
async function unpackOurs(scratch: string): Promise<Map<string, { unpacked: string; workspace: string }>> {
  const found = await Promise.all(
    ours.map(async (folder) => {
      const [workspace, name] = [join(root, folder), basename(folder)]
      const unpacked = join(scratch, name)
      await mkdir(unpacked)
      await pack(workspace, join(scratch, `${name}.tgz`))
      await run('tar', ['-xzf', join(scratch, `${name}.tgz`), '-C', unpacked, '--strip-components=1'])
      return [`@tillwright/${name}`, { unpacked, workspace }] as const
    }),
  )
  const cli = join(scratch, 'cli')
  await buildCli(join(cli, 'dist'), ['@tillwright/bank-simulator'])
  await rm(join(cli, 'launch'), { recursive: true })
  const manifest = JSON.parse(await readFile(join(cli, 'package.json'), 'utf8'))
  // The plugin bundler is for authors, and as large as all the rest of the dependencies.
  await writeFile(
    join(cli, 'package.json'),
    `${JSON.stringify({ ...manifest, bin: undefined, dependencies: {} }, null, 2)}\n`,
  )
  return new Map(found)
}

const SECOND_NS = 1e9

function runConfig(version: string, revision: string): Image['config'] {
  const label = (name: string) => `org.opencontainers.image.${name}`
  return {
    User: `${USER}:${USER}`,
    Env: [
      'PATH=/usr/local/bin',
      'NODE_ENV=production',
      `HOME=${HOME}`,
      `TILLWRIGHT_HOME=${HOME}`,
      'TILLWRIGHT_ENVIRONMENT=production',
      'TILLWRIGHT_HOST=0.0.0.0',
    ],
    Entrypoint: [PROGRAM],
    Cmd: ['serve'],
    WorkingDir: '/',
    ExposedPorts: { '4400/tcp': {}, '4401/tcp': {} },
    StopSignal: 'SIGTERM',
    Labels: {
      [label('title')]: 'Tillwright',
      [label('description')]: 'The Tillwright back end: API, vault, payments, events',
      [label('version')]: version,
      [label('revision')]: revision,
      [label('licenses')]: 'MIT',
    },
    Healthcheck: {
      Test: ['CMD', PROGRAM, 'health'],
      Interval: 10 * SECOND_NS,
      Timeout: 5 * SECOND_NS,
      StartPeriod: 60 * SECOND_NS,
      Retries: 3,
    },
  }
}

/**
 * Builds the image into a folder: an OCI layout, and the bill of materials next to it.
 *
 * @param folder Is replaced.
 */
export async function buildImage(folder: string): Promise<WrittenImage> {
  const { image, sbom } = await planImage()
  await rm(folder, { recursive: true, force: true })
  const written = await writeLayout(folder, image)
  await writeFile(join(folder, 'sbom.cdx.json'), sbom)
  return written
}

/** `pnpm image [FOLDER]`. */
if (import.meta.main) {
  const [folder = join(root, 'dist/image')] = process.argv.slice(2).filter((word) => word !== '--sizes')
  const { digest, compressedBytes, unpackedBytes } = await buildImage(folder)
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  const count = (await readdir(join(folder, 'blobs/sha256'))).length
  console.log(`${folder}: ${digest}, ${count} blobs`)
  console.log(`${megabytes(compressedBytes)} to download, ${megabytes(unpackedBytes)} unpacked`)
  if (process.argv.includes('--sizes')) writeSizes(imageSizes({ compressedBytes, unpackedBytes }))
}
