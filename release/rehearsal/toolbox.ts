import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The versions of Node that people have, oldest first. The last is the one that runs this. */
export const nodes = ['22', '24', '26'] as const
export type NodeVersion = (typeof nodes)[number]

export const managers = ['npm', 'pnpm', 'yarn', 'bun'] as const
export type ManagerName = (typeof managers)[number]

/** The commands of a package manager. */
export interface Manager {
  name: ManagerName
  install: readonly string[]
  /** In front of the name of a script. */
  script: readonly string[]
  /** In front of a package that is fetched to be run once. */
  once: readonly string[]
  /** `npm create @tillwright/plugin my-shop -- --yes` */
  create: (folder: string, options: readonly string[]) => string[]
}

/** The programs of a rehearsal, fetched from npm into a folder of its own. */
export interface Toolbox {
  manager: Readonly<Record<ManagerName, Manager>>
  /** The folder of the `node` program. */
  nodeFolder: (version: NodeVersion) => string
}

/**
 * Fetches Node, Yarn and Bun as packages of npm. npm and pnpm are those of this machine.
 *
 * @param folder An empty one.
 * @param wanted Versions of Node; others are not fetched.
 */
export async function fetchTools(folder: string, wanted: readonly NodeVersion[]): Promise<Toolbox> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const machine = `${process.platform}-${process.arch}`
  const own = process.versions.node.split('.')[0]
  const specs = wanted
    .filter((version) => version !== own)
    .map((version) => `node${version}@npm:node-${machine}@${version}`)
  const bun = `@oven/bun-${machine}`
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...specs, '@yarnpkg/cli-dist@4', bun], {
    cwd: folder,
  })
  const yarn = ['node', join(folder, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')]
  const bunFolder = join(folder, 'node_modules', bun, 'bin')
  await symlink('bun', join(bunFolder, 'bunx')) // the program goes by the name that it is called by
  const bunProgram = join(bunFolder, 'bun')
  return {
    nodeFolder: (version) =>
      version === own ? join(process.execPath, '..') : join(folder, `node_modules/node${version}/bin`),
    manager: {
      npm: {
        name: 'npm',
        install: ['npm', 'install', '--no-audit', '--no-fund'],
        script: ['npm', 'run'],
        once: ['npx', '--yes'],
        create: (to, options) => ['npm', 'create', '--yes', '@tillwright/plugin', to, '--', ...options],
      },
      pnpm: {
        name: 'pnpm',
        install: ['pnpm', 'install'],
        script: ['pnpm', 'run'],
        once: ['pnpm', 'dlx'],
        create: (to, options) => ['pnpm', 'create', '@tillwright/plugin', to, ...options],
      },
      yarn: {
        name: 'yarn',
        install: [...yarn, 'install'],
        script: [...yarn, 'run'],
        once: [...yarn, 'dlx'],
        create: (to, options) => [...yarn, 'create', '@tillwright/plugin', to, ...options],
      },
      bun: {
        name: 'bun',
        install: [bunProgram, 'install'],
        script: [bunProgram, 'run'],
        once: [join(bunFolder, 'bunx')],
        create: (to, options) => [bunProgram, 'create', '@tillwright/plugin', to, ...options],
      },
    },
  }
}
