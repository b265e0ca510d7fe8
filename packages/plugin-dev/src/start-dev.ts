import { realpath } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import type { Problem } from '@tillwright/plugin-build'
import { applyChanges } from './apply-changes.ts'
import { attachModules } from './attach-modules.ts'
import { bindPlugin, type Binding } from './binding/bind-plugin.ts'
import type { DevOptions, DevServer } from './dev-options.ts'
import type { DevPlatform, FindPlatform } from './dev-platform.ts'
import type { DevState } from './dev-state.ts'
import { lookAtPlugin, type ServedPlugin } from './plugin/followed-plugin.ts'
import { inspector } from './inspect/inspector.ts'
import { problemBoard } from './problems/problem-board.ts'
import { defaultScenarios } from './scenarios/default-scenarios.ts'
import { readScenarios } from './scenarios/read-scenarios.ts'
import { createModules } from './serve/create-modules.ts'
import { openPlaces, type Places } from './serve/open-places.ts'
import { routeRequest } from './serve/route-request.ts'
import { sessionActions, tellSession, type SessionActions } from './session-actions.ts'
import { tellPages } from './tell-pages.ts'
import { watchFolder } from './watch/watch-folder.ts'

/** The first of the ports that are tried. */
const PORT = 5_180

/**
 * Serves a plugin's pages from this machine while it is being written: bound to a preview session on a platform, and with
 * every change applied to the pages that are open.
 *
 * @throws {Error} When the folder is not there, the platform refuses, or no port is free.
 */
export async function startDev(options: DevOptions): Promise<DevServer> {
  const startedMs = performance.now()
  const { port = PORT, onNetwork = false, tell = () => {} } = options
  const root = await realpath(options.folder)
  const opened = Promise.withResolvers<RequestListener>()
  opened.promise.catch(() => {}) // told by this function itself
  let vaultUrl = () => ''
  const places = await openPlaces({
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
    if (dev.state.binding !== null) tellSession(dev.state)
    tell({ type: 'scenarios', scenarios: dev.state.scenarios })
    return serverOf(dev, places)
  } catch (error) {
    opened.reject(error)
    await places.close()
    throw error
  }
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

async function open(options: OpenOptions, places: Places): Promise<OpenDev> {
  const { root } = options
  const bind = binder(options, places)
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
    modules: async () => {
      await state.reopening
      return state.modules
    },
    revision: () => state.revision,
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

/** What the platform, or this machine, has against a change; the next change tries again. */
function notApplied(error: unknown): Problem {
  const place = { file: '', line: 1, column: 1, pointer: null }
  const rule = `The change could not be applied: ${String(Object(error).message ?? error)}`
  return { code: 'not-applied', severity: 'error', ...place, rule, fix: 'Mend what it says, and save once more.' }
}

/** The plugin, its modules and its session: all that can be prepared beside each other is. */
async function firstState(
  options: OpenOptions,
  { places, bind }: { places: Places; bind: (served: ServedPlugin) => Promise<Binding> },
): Promise<DevState> {
  const { root, tell, environment = {} } = options
  const { served, problems } = await lookAtPlugin(root, environment)
  const scenarios = served === null ? null : await readScenarios(served.plugin)
  const [modules, binding] = await Promise.all([
    createModules(modulesOptions({ root, environment, served }, places)),
    served === null ? null : bind(served),
  ])
  const board = problemBoard((errors) => {
    tellPages(state, 'tillwright:problems', errors)
    tell({ type: 'problems', problems: [...errors] })
  })
  const state: DevState = {
    root,
    environment,
    tell,
    board,
    served,
    binding,
    modules,
    scenarios: scenarios?.scenarios ?? defaultScenarios,
    moduleProblems: { recheck: () => Promise.resolve() },
    formerPages: [],
    revision: 1,
    reopening: Promise.resolve(),
  }
  board.set('plugin', problems)
  board.set('scenarios', scenarios?.problems ?? [])
  return state
}

function modulesOptions(
  { root, environment, served }: Pick<DevState, 'root' | 'environment' | 'served'>,
  { server }: Pick<Places, 'server'>,
) {
  return { plugin: { root, pages: served?.plugin.pages ?? [] }, server, environment }
}

/** Binds a plugin to the platform, which is looked for as soon as there is anything to do. */
function binder({ findPlatform, tell, scenario = { name: 'Preview' } }: OpenOptions, { origins, url }: Places) {
  const find = askedAtOnce(findPlatform)
  return async (served: ServedPlugin) => {
    const binding = await bindPlugin(served.plugin, { findPlatform: find, origins, scenario })
    if (binding.publishableKey === null) tell({ type: 'notice', message: withoutKey(binding.shop.storeId, url) })
    return binding
  }
}

/** What has to be done before card forms can be seen on a platform on which no key can be made from here. */
function withoutKey(storeId: string, url: string): string {
  const origin = url.replace(/\d+$/, '*') // another port is taken where this one is
  const command = `tillwright keys create --publishable --store ${storeId} --origin '${origin}'`
  return `Card forms are not shown without a publishable key for ${origin}. Have an operator run: ${command} and give the key as --publishable-key. Published pages have one of their own.`
}

/** The first answer is asked for at once, since a platform takes longer to start than anything else. */
function askedAtOnce(findPlatform: FindPlatform): FindPlatform {
  let first: Promise<DevPlatform> | null = findPlatform()
  first.catch(() => {}) // told to whoever asks
  return () => {
    const answer = first ?? findPlatform()
    first = null
    return answer
  }
}

function serverOf({ state, actions, settled, stop }: OpenDev, places: Places): DevServer {
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
