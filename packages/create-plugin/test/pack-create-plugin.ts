import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isBuilt } from '../../../.ci/is-built.ts'
import { buildCreatePlugin } from '../build.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

/** A program's output and exit code. */
export interface Ran {
  code: number
  out: string
  err: string
}

/** The package as `npm create` installs it. */
export interface PackedCreatePlugin {
  /** An empty folder of the test's own. */
  folder: string
  tarball: string
  /** The program in the unpacked package. */
  program: string
  /** Runs it in the folder, to its end. */
  createPlugin: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ran>
  /**
   * Adds packages to the folder as an install would: the packed SDK, and this workspace's other packages that plugins
   * import.
   */
  addPackages: () => Promise<void>
  remove: () => Promise<void>
}

/** Builds and packs the package as a release does. */
export async function packCreatePlugin(): Promise<PackedCreatePlugin> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-create-')))
  const tarball = join(folder, '.packed/create-plugin.tgz')
  if (!isBuilt) await buildCreatePlugin(join(root, 'dist'))
  await pack(root, tarball, join(folder, '.packed/package'))
  const program = join(folder, '.packed/package/dist/main.cjs')
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|CI$)/i.test(name)))
  return {
    folder,
    tarball,
    program,
    createPlugin: (args, more = {}) => ended([program, ...args], folder, { ...env, NO_COLOR: '1', ...more }),
    addPackages: () => addPackages(folder),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function pack(of: string, tarball: string, unpacked: string): Promise<void> {
  await mkdir(unpacked, { recursive: true })
  await run('pnpm', ['pack', '--out', tarball], { cwd: of, shell: process.platform === 'win32' })
  await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'])
}

async function addPackages(folder: string): Promise<void> {
  const sdk = join(root, '../plugin-sdk')
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', sdk])
  await pack(sdk, join(folder, '.packed/plugin-sdk.tgz'), join(folder, 'node_modules/@tillwright/plugin-sdk'))
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  const installed = ['preact', 'react', 'react-dom', 'typescript', '@types/node', '@types/react', '@types/react-dom']
  for (const name of installed) {
    await symlink(await realpath(join(root, 'node_modules', name)), join(folder, 'node_modules', name), 'junction')
  }
}

/** Runs a program of Node's to its end. */
export function ended(args: readonly string[], cwd: string, env = process.env): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env, maxBuffer: 16_000_000 }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : Number(error !== null), out, err })
    })
  })
}
