import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isBuilt } from '../../../../.ci/is-built.ts'
import { buildCli } from '../../build.ts'
import type { Ran } from './run-command.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** The installed command line, as users have it. */
export interface Installed {
  /** The folder that it is installed in; tests may add files. */
  folder: string
  /** Runs it there, to its end. */
  tillwright: (args: readonly string[], settings?: Readonly<Record<string, string>>) => Promise<Ran>
  remove: () => Promise<void>
}

/**
 * Builds and packs the command line as a release does, and installs it with npm in an empty folder. Works offline:
 * esbuild, its only dependency, is packed from the local installation.
 */
export async function installPacked(): Promise<Installed> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-packed-')))
  const folder = join(scratch, 'app')
  await mkdir(folder)
  if (!isBuilt) await buildCli(join(root, 'dist'))
  const ours = join(scratch, 'cli.tgz')
  await shell('pnpm', ['pack', '--out', ours], root)
  const packed = await shell('npm', ['pack', '--json', '--ignore-scripts', ...(await esbuildFolders())], scratch)
  const others: { filename: string }[] = Object.values(JSON.parse(packed)) // an array up to npm 11, an object since
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(scratch, 'cache')]
  const tarballs = [ours, ...others.map(({ filename }) => join(scratch, filename))]
  await shell('npm', ['install', ...quiet, ...tarballs], folder)
  return {
    folder,
    tillwright: (args, settings = {}) =>
      ended(folder, [join(folder, 'node_modules/.bin/tillwright'), ...args], {
        ...bare(process.env),
        NO_COLOR: '1',
        ...settings,
      }),
    remove: () => rm(scratch, { recursive: true, force: true }),
  }
}

/** The command line as it is built and packed, run where it was built, without the seconds of an installation. */
export async function builtInPlace(): Promise<Installed> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-built-')))
  if (!isBuilt) await buildCli(join(root, 'dist'))
  const settings = { ...bare(process.env), NO_COLOR: '1' }
  return {
    folder,
    tillwright: (args, more = {}) =>
      ended(folder, [process.execPath, join(root, 'dist/main.js'), ...args], { ...settings, ...more }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The package folders of esbuild and its native program for this machine. */
async function esbuildFolders(): Promise<string[]> {
  const esbuild = createRequire(join(root, 'build.ts')).resolve('esbuild/package.json')
  const program = `@esbuild/${process.platform}-${process.arch}/package.json`
  return Promise.all([esbuild, createRequire(esbuild).resolve(program)].map(async (path) => realpath(dirname(path))))
}

async function shell(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run(program, args, { cwd, shell: process.platform === 'win32' })
  return stdout
}

/** The environment without settings of this machine's own platform. */
function bare(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:TILLWRIGHT_|DATABASE_URL$)/.test(name)))
}

function ended(cwd: string, [program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env, shell: process.platform === 'win32' }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : Number(error !== null), out, err })
    })
  })
}
