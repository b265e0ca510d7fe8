import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumPath } from '../../.ci/chromium.ts'
import { freePort } from '../../.ci/free-port.ts'
import { startRegistry } from '../local-registry.ts'
import { packAll } from '../pack-all.ts'
import { type Place, startPlatform, type Task, tasks, tryCell } from './cells.ts'
import { fetchTools, type ManagerName, managers, nodes, type NodeVersion } from './toolbox.ts'

/** Result of one cell of the table. */
export interface Tried {
  task: Task
  manager: ManagerName
  node: NodeVersion
  /** `null` where it worked. */
  problem: string | null
}

type Cell = Omit<Tried, 'problem'>

/** Everything light with every manager on every Node; pages with every manager on the newest, and with npm on every Node. */
function allCells(): Cell[] {
  const every = tasks.flatMap((task) =>
    managers.flatMap((manager) => nodes.map((node) => ({ task, manager, node }) satisfies Cell)),
  )
  const light: readonly Task[] = ['tillwright start', 'server client']
  return every.filter(({ task, manager, node }) => {
    if (task === 'plain page') return manager === 'npm' // installs what the row of the client does
    return light.includes(task) || manager === 'npm' || node === '26'
  })
}

/**
 * Rehearses a release: serves all packages as they would be published from a registry on this machine, which leads on to
 * npm for those of others, and installs and uses them with an empty home.
 *
 * @param patterns Managers, versions of Node, or parts of rows, all of which a cell must have; without any, all are tried.
 */
export async function rehearse(patterns: readonly string[], tell: (tried: Tried) => void): Promise<Tried[]> {
  const isWanted =
    ({ task, manager, node }: Cell) =>
    (pattern: string) =>
      pattern === manager || pattern === node || task.toLowerCase().includes(pattern.toLowerCase())
  const cells = allCells().filter((cell) => patterns.every(isWanted(cell)))
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-rehearsal-'))
  await mkdir(join(folder, 'packed'))
  const others = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const registry = await startRegistry(await packAll(join(folder, 'packed')), 0, others)
  const browser = await chromium.launch({ executablePath: await chromiumPath() })
  try {
    const tools = await fetchTools(join(folder, 'tools'), [...new Set(cells.map(({ node }) => node))])
    const shopUrl = `http://localhost:${await freePort()}`
    const own = { folder: join(folder, 'platform'), manager: tools.manager.npm, shopUrl }
    await mkdir(own.folder)
    const platform = await startPlatform({
      ...own,
      env: await home(join(folder, 'home'), registry.url, process.execPath),
    })
    const results: Tried[] = []
    for (const cell of cells) {
      const node = join(tools.nodeFolder(cell.node), 'node')
      const place: Place = {
        folder: join(folder, `cell-${results.length}`),
        manager: tools.manager[cell.manager],
        env: await home(join(folder, `home-${cell.manager}-${cell.node}`), registry.url, node),
        browser,
        shopUrl,
        local: platform.local,
      }
      const problem = await tryCell(cell.task, place).then(
        () => null,
        (error: Error) => error.message,
      )
      results.push({ ...cell, problem })
      tell({ ...cell, problem })
      await rm(place.folder, { recursive: true, force: true })
    }
    await platform.stop()
    return results
  } finally {
    await browser.close()
    await registry.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The environment of a user with an empty home, a Node, and packages from one registry. */
async function home(folder: string, registry: string, node: string): Promise<NodeJS.ProcessEnv> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, '.npmrc'), `registry=${registry}\n`)
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((each) => !each.endsWith('tillwright/node_modules/.bin'))
  return {
    PATH: [join(node, '..'), ...path].join(delimiter),
    HOME: folder,
    CI: '1', // no questions
    NO_COLOR: '1',
    NODE_USE_SYSTEM_CA: '1',
    ...(process.env['NODE_EXTRA_CA_CERTS'] && { NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] }),
    npm_config_registry: registry,
    npm_config_cache: join(folder, 'npm'),
    npm_config_update_notifier: 'false',
    XDG_DATA_HOME: join(folder, 'data'),
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_NODE_LINKER: 'node-modules', // what Next.js and Vite's plugins are tested with
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false', // the default of CI wants a lockfile
    YARN_NPM_MINIMAL_AGE_GATE: '0', // what was packed just now is to be tried
    YARN_ENABLE_TELEMETRY: '0',
    NEXT_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
  }
}

/** The table as Markdown: what was tried by managers and versions of Node. */
export function tableOf(results: readonly Tried[]): string {
  const columns = managers.flatMap((manager) => nodes.map((node) => ({ manager, node })))
  const used = columns.filter((at) => results.some((each) => each.manager === at.manager && each.node === at.node))
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const cell = (task: Task, at: (typeof columns)[number]) => {
    const found = results.find((each) => each.task === task && each.manager === at.manager && each.node === at.node)
    return found === undefined ? '' : found.problem === null ? 'works' : 'FAILS'
  }
  const rows = tasks.filter((task) => results.some((each) => each.task === task))
  return [
    row(['', ...used.map(({ manager, node }) => `${manager}, Node ${node}`)]),
    row(['---', ...used.map(() => '---')]),
    ...rows.map((task) => row([task, ...used.map((at) => cell(task, at))])),
  ].join('')
}

/** `pnpm rehearse [PATTERN...]`: `pnpm rehearse next`, `pnpm rehearse bun 24`. */
if (import.meta.main) {
  const results = await rehearse(process.argv.slice(2), ({ task, manager, node, problem }) =>
    console.log(
      `${problem === null ? 'works' : 'FAILS'}  ${task}, ${manager}, Node ${node}${problem === null ? '' : `\n${problem}`}`,
    ),
  )
  console.log(`\n${tableOf(results)}`)
  process.exitCode = results.length > 0 && results.every(({ problem }) => problem === null) ? 0 : 1
}
