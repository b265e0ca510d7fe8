import { realpath } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { fileError, type Problem } from '@tillwright/plugin-build'
import { AuthorError } from '../author-error.ts'
import { bindPlugin, type DevPlatform, type FindPlatform } from '../binding/index.ts'
import { inspector } from '../inspector.ts'
import { pageErrors, problemBoard } from '../problems/index.ts'
import { defaultScenarios, readScenarios, type Scenario } from '../scenarios/index.ts'
import { createModules, type Endpoints, modulesKey, openEndpoints, routeRequest, servedFiles } from '../serve/index.ts'
import { watchFolder } from '../watch/index.ts'
import { applyChanges } from './changes.ts'
import { attachModules, sendProblems } from './messages.ts'
import { readServedPlugin } from './served-plugin.ts'
import { type Bind, fixOf, reportSession, sessionActions, type SessionActions } from './session.ts'
import type { DevEvent, DevState } from './state.ts'

/** The first of the ports that are tried. */
const PORT = 5_180

/**
 * Serves a plugin's pages from this machine while it is being written: bound to a preview session on a platform, and with
 * every change applied to the pages that are open.
 *
 * @throws {Error} When the folder is not there or has a path that Vite cannot serve, the platform refuses, or no port is free.
 */
export async function startDev(options: DevOptions): Promise<DevServer> {
  const startedMs = performance.now()
  const { port = PORT, onNetwork = false, tell = () => {} } = options
  const root = await realpath(options.folder)
  refuseMarks(root)
  const opened = Promise.withResolvers<RequestListener>()
  opened.promise.catch(() => {}) // thrown below
  let vaultUrl = () => ''
  const places = await openEndpoints({
    root,
    port,
    onNetwork,
    vaultUrl: () => vaultUrl(),
    listener: (request, response) => void opened.promise.then((listener) => listener(request, response)),
  })
  try {
    const dev = await open({ ...options, root, tell }, places)
    vaultUrl = () => dev.state.binding?.platform.vaultUrl ?? ''
    opened.resolve(dev.listener)
    const { url, networkUrls, movedFrom } = places
    tell({ type: 'ready', url, networkUrls, movedFrom, tookMs: performance.now() - startedMs })
    if (dev.state.binding !== null) reportSession(dev.state)
    tell({ type: 'scenarios', scenarios: dev.state.scenarios })
    return serverOf(dev, places)
  } catch (error) {
    opened.reject(error)
    await places.close()
    throw error
  }
}

/**
 * Vite takes what follows these marks for a part of an address, and pages would stay empty.
 *
 * @throws {AuthorError} Where the path of the folder has one.
 */
function refuseMarks(root: string): void {
  const [mark] = /[#?]/.exec(root) ?? []
  if (mark === undefined) return
  throw new AuthorError(
    `${root} has "${mark}" in its path, and Vite cannot serve pages from there: move the folder, or rename it.`,
  )
}

/** Everything that is under way. */
interface OpenDev {
  state: DevState
  actions: SessionActions
  listener: RequestListener
  settled: () => Promise<void>
  stop: () => Promise<void>
}

type OpenOptions = DevOptions & { root: string; tell: NonNullable<DevOptions['tell']> }

async function open(options: OpenOptions, places: Endpoints): Promise<OpenDev> {
  const { root } = options
  const bind = pluginBinder(options, places)
  const state = await firstState(options, { places, bind })
  const actions = sessionActions(state, bind)
  const inspecting = inspector(() => state.binding)
  const deeds = { restart: actions.restart, inspector: inspecting }
  const reopen = async () => {
    // A page that loads itself again meanwhile waits: what it got from the former modules would stay.
    const opened = Promise.withResolvers<void>()
    state.reopening = opened.promise
    try {
      await state.modules.close()
      state.modules = await createModules(modulesOptions(state, places))
      attachModules(state, { watch: watched.add, ...deeds })
    } finally {
      opened.resolve()
    }
  }
  const watched = await watchFolder(root, async (batch) => {
    await applyChanges(state, batch, { reopen, bind }).catch((error: unknown) =>
      state.board.set('applying', [notApplied(error)]),
    )
    state.tell({ type: 'settled' })
  })
  attachModules(state, { watch: watched.add, ...deeds })
  const listener = routeRequest({
    root,
    plugin: () => state.served?.plugin ?? null,
    formerPages: () => state.formerPages,
    binding: () => state.binding,
    isServed: servedFiles(root),
    modules: async () => {
      await state.reopening
      return state.modules
    },
    revision: () => state.revision,
    updates: () => state.updates,
    renew: actions.renew,
    platformGone: actions.platformGone,
    hosts: places.hosts,
    vaultUrl: places.vaultUrl,
    toolbar: options.toolbar ?? 'corner',
  })
  return {
    state,
    actions,
    listener,
    settled: watched.settled,
    async stop() {
      actions.stop()
      inspecting.stop()
      await watched.stop()
      await state.modules.close()
    },
  }
}

/** The problem of a change that could not be applied; the next change tries again. */
function notApplied(error: unknown): Problem {
  const rule = `The change could not be applied: ${String(Object(error).message ?? error)}`
  return fileError('', { code: 'not-applied', rule, fix: `${fixOf(error)}; then save again.` })
}

/** The plugin, its modules and its session, prepared in parallel where possible. */
async function firstState(
  options: OpenOptions,
  { places, bind }: { places: Endpoints; bind: Bind },
): Promise<DevState> {
  const { root, tell, environment = {} } = options
  const { served, problems } = await readServedPlugin(root, environment)
  const scenarios = served === null ? null : await readScenarios(served.plugin)
  const preparing = createModules(modulesOptions({ root, environment, served }, places))
  const [modules, key, binding] = await Promise.all([
    preparing,
    modulesKey(root, environment),
    served === null ? null : bind(served),
  ]).catch(async (error: unknown) => {
    await preparing.then((prepared) => prepared.close()).catch(() => {}) // what it prepares is written into the folder
    throw error
  })
  const board = problemBoard(() => sendProblems(state))
  const state: DevState = {
    root,
    environment,
    tell,
    board,
    pageErrors: pageErrors(),
    served,
    binding,
    modules,
    modulesKey: key,
    scenarios: scenarios?.scenarios ?? defaultScenarios,
    moduleProblems: { recheck: () => Promise.resolve(), check: () => Promise.resolve(), areLinked: () => true },
    formerPages: [],
    revision: 1,
    updates: 0,
    reopening: Promise.resolve(),
  }
  board.set('plugin', problems)
  board.set('scenarios', scenarios?.problems ?? [])
  return state
}

function modulesOptions(
  { root, environment, served }: Pick<DevState, 'root' | 'environment' | 'served'>,
  { server }: Pick<Endpoints, 'server'>,
) {
  return { plugin: { root, pages: served?.plugin.pages ?? [] }, server, environment }
}

/** Binds a plugin to the platform, which is looked for as soon as there is anything to do. */
function pluginBinder(
  { findPlatform, tell, scenario: first = { name: 'Preview' } }: OpenOptions,
  { origins, url }: Endpoints,
): Bind {
  const find = startFinding(findPlatform)
  return async (served, scenario = first) => {
    const binding = await bindPlugin(served.plugin, { findPlatform: find, origins, url, scenario })
    if (binding.publishableKey === null) tell({ type: 'notice', message: withoutKey(binding.shop.storeId, url) })
    return binding
  }
}

/** How to get card forms on a platform where the dev server cannot make a publishable key. */
function withoutKey(storeId: string, url: string): string {
  const origin = url.replace(/\d+$/, '*') // another port is taken where this one is
  const command = `tillwright keys create --publishable --store ${storeId} --origin '${origin}'`
  return `Card forms are not shown without a publishable key for ${origin}. Have an operator run: ${command} and give the key as --publishable-key. Published pages have one of their own.`
}

/** The first answer is asked for at once, since a platform takes longer to start than anything else. */
function startFinding(findPlatform: FindPlatform): FindPlatform {
  let first: Promise<DevPlatform> | null = findPlatform()
  first.catch(() => {}) // rejected again for the caller
  return () => {
    const answer = first ?? findPlatform()
    first = null
    return answer
  }
}

function serverOf({ state, actions, settled, stop }: OpenDev, places: Endpoints): DevServer {
  return {
    url: places.url,
    networkUrls: places.networkUrls,
    scenarios: () => state.scenarios,
    restart: actions.restart,
    next: actions.next,
    settled,
    async stop() {
      await stop()
      await places.close()
    },
  }
}

/** Options of a dev server. */
export interface DevOptions {
  /** The plugin's folder. */
  folder: string
  findPlatform: FindPlatform
  /** The first of the ports to try: 5180 unless given; 0 for any. */
  port?: number
  /** Whether the network may see it, over HTTPS; this machine alone unless given. */
  onNetwork?: boolean
  /** The variables that pages may be given, those that begin with `PUBLIC_`; none unless given. */
  environment?: Readonly<Record<string, string | undefined>>
  /** The first session's scenario; an empty one by default. */
  scenario?: Scenario
  /** Whether pages show the author's toolbar; `corner` by default. */
  toolbar?: 'corner' | 'none'
  /** Called with each event. */
  tell?: (event: DevEvent) => void
}

/** A plugin that is being served. */
export interface DevServer {
  /** Where its pages begin on this machine. */
  url: string
  /** The same for others in the network. */
  networkUrls: readonly string[]
  scenarios: () => readonly Scenario[]
  /** Begins another session, of the scenario if one is named, and shows its first page. */
  restart: (scenario?: Scenario) => Promise<void>
  /** Goes on to the next step of the funnel, in every page that is open. */
  next: () => Promise<void>
  /** Resolves when everything that has changed so far was applied. */
  settled: () => Promise<void>
  stop: () => Promise<void>
}
