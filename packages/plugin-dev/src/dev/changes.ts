import { relative, sep } from 'node:path'
import { readScenarios, SCENARIOS_FILE } from '../scenarios/index.ts'
import { modulesKey } from '../serve/index.ts'
import type { Batch } from '../watch/index.ts'
import { sendPlugin, tellProblems } from './messages.ts'
import { differenceOf, readServedPlugin, type ServedPlugin } from './served-plugin.ts'
import { type Bind, orBindAgain, reportSession } from './session.ts'
import type { DevState } from './state.ts'

/** Actions that a change may need. */
export interface ApplyOptions {
  /** Opens the modules anew, because what they are made with has changed. */
  reopen: () => Promise<void>
  bind: Bind
}

/**
 * Brings everything up to date after files have changed: first the plugin and its steps on the platform, then the pages, so
 * that no page is loaded before what it is to show is there.
 */
export async function applyChanges(state: DevState, batch: Batch, options: ApplyOptions): Promise<void> {
  const changes = [...batch].map(([path, kind]) => ({
    path,
    kind,
    name: relative(state.root, path).split(sep).join('/'),
  }))
  const names = changes.map(({ name }) => name)
  state.tell({ type: 'changed', files: names })
  if (state.pageErrors.forgetLeft()) tellProblems(state)
  if (touchesPlugin(state, changes)) {
    await applyPlugin(state, options)
    state.board.set('applying', [])
  }
  if (state.served !== null && names.includes(SCENARIOS_FILE)) await applyScenarios(state, state.served)
  if (names.some((name) => environmentFiles.test(name)) && (await hasOtherEnvironment(state))) {
    state.updates += 1
    await options.reopen()
    state.tell({ type: 'applied', what: 'environment' })
    return
  }
  state.updates += 1
  for (const { path, kind, name } of changes) {
    if (environmentFiles.test(name)) continue // Vite would load pages again whatever has changed in it
    if (kind === 'unlink') rereadImporters(state, path)
    state.modules.watcher.emit(kind, path)
  }
  if (names.some((name) => isPublic(state, name))) reloadPages(state)
  if (state.board.of('modules').length === 0) return
  await state.moduleProblems.recheck()
  await state.moduleProblems.check()
}

/** More than an author moves in an hour. */
const FORMER_PAGES_MAX = 200

/** Whether modules are made with something else than before. */
async function hasOtherEnvironment(state: DevState): Promise<boolean> {
  const key = await modulesKey(state.root, state.environment)
  if (key === null || key === state.modulesKey) return false
  state.modulesKey = key
  return true
}

/** Files that affect every module. */
const environmentFiles = /^(?:\.env(?:\.[\w.]+)?|package\.json|tsconfig\.json)$/

interface Change {
  name: string
  kind: 'add' | 'change' | 'unlink'
}

/** A file that comes or goes may be a page's module or a preset; one that changes counts if the plugin is read from it. */
function touchesPlugin({ served, board }: DevState, changes: readonly Change[]): boolean {
  if (served === null || board.of('applying').length > 0) return true
  if (board.of('plugin').some(({ severity }) => severity === 'error')) return true
  const sources = new Set(served.plugin.sources)
  return changes.some(
    ({ name, kind }) => kind !== 'change' || sources.has(name) || environmentFiles.test(name) || name.endsWith('.html'),
  )
}

async function applyPlugin(state: DevState, { bind }: ApplyOptions): Promise<void> {
  const { root, environment, board, served: before } = state
  const { served, problems } = await readServedPlugin(root, environment)
  if (served === null) return board.set('plugin', problems)
  const difference = before === null ? 'pages' : differenceOf(before, served)
  const { binding } = state
  if (binding === null) {
    state.binding = await bind(served)
  } else if (difference === 'pages') {
    await orBindAgain(state, {
      work: () => binding.syncSteps(served.plugin),
      again: () => bind(served, binding.scenario),
    })
  }
  if (before !== null) state.formerPages = formerPages(state, before)
  state.served = served
  if (state.binding !== binding) reportSession(state)
  board.set('plugin', problems)
  if (difference === 'nothing') return
  sendPlugin(state)
  state.tell({ type: 'applied', what: difference === 'settings' ? 'settings' : 'pages' })
}

/** A page that is being loaded again while it moves asks for its former address. */
function formerPages({ formerPages: known }: DevState, { plugin }: ServedPlugin): DevState['formerPages'] {
  const paths = new Set(plugin.manifest.pages.map(({ path }) => path))
  return [...plugin.manifest.pages, ...known.filter(({ path }) => !paths.has(path))].slice(0, FORMER_PAGES_MAX)
}

/** Reads the scenarios; those that were good stay while the file has errors. */
async function applyScenarios(state: DevState, { plugin }: ServedPlugin): Promise<void> {
  const { scenarios, problems } = await readScenarios(plugin)
  state.board.set('scenarios', problems)
  if (scenarios === null) return
  state.scenarios = scenarios
  state.tell({ type: 'scenarios', scenarios })
}

/**
 * Invalidates the importers of a removed module: Vite would serve them from its cache, and its absence would go
 * unnoticed.
 */
function rereadImporters({ modules }: DevState, path: string): void {
  const { moduleGraph } = modules.environments.client
  for (const module of moduleGraph.getModulesByFile(path) ?? []) {
    for (const importer of module.importers) moduleGraph.invalidateModule(importer)
  }
}

function isPublic({ served }: DevState, name: string): boolean {
  const folder = served?.plugin.publicFolder ?? null
  return folder !== null && name.startsWith(`${folder}/`)
}

function reloadPages({ modules }: DevState): void {
  modules.environments.client.hot.send({ type: 'full-reload', path: '*' })
}
