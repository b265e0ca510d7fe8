import type { Problem } from '@tillwright/plugin-build'
import type { Inspector } from '../inspector.ts'
import { pageAddress, stepIdOf } from '../pages.ts'
import { locateError, locateViolation, moduleProblems, showProblem } from '../problems/index.ts'
import type { PageError, PageMessages, PluginMessage, ShownProblem, ToolbarData } from '../protocol.ts'
import { type Scenario, scenarioCards, scenarioSchema, viewports } from '../scenarios/index.ts'
import { sharedData } from '../serve/index.ts'
import type { DevState } from './state.ts'

/** Sends a message to all open pages. */
export function sendToPages<Name extends keyof PageMessages>(
  { modules }: Pick<DevState, 'modules'>,
  name: Name,
  message: PageMessages[Name],
): void {
  modules.environments.client.hot.send({ type: 'custom', event: name, data: message })
}

/** Sends what is wrong with the plugin to all pages, and to the terminal. */
export function sendProblems(state: DevState): void {
  const { errors, warnings } = shownProblems(state)
  sendToPages(state, 'tillwright:problems', errors)
  sendToPages(state, 'tillwright:warnings', warnings)
  tellProblems(state)
}

/** Tells the terminal all that is wrong, in open pages too; a page shows its own errors itself. */
export function tellProblems(state: DevState): void {
  const { errors, warnings } = shownProblems(state)
  state.tell({ type: 'problems', problems: [...errors, ...state.pageErrors.all(), ...warnings] })
}

function shownProblems({ board, modules }: DevState) {
  const show = (problem: Problem) => showProblem(modules, problem)
  return { errors: board.errors().map(show), warnings: board.warnings().map(show) }
}

/** The plugin's current state for pages; `null` before there is one. */
function pluginMessage({ served, binding, revision }: DevState): PluginMessage | null {
  if (served === null || binding === null) return null
  const { plugin, documents } = served
  return {
    revision,
    data: sharedData(plugin, binding),
    pages: plugin.pages.map(({ id, path, isDefault }) => ({ id, path, isDefault, key: documents[id] ?? '' })),
  }
}

/** Sends the plugin's current state to all pages. */
export function sendPlugin(state: DevState): void {
  state.revision += 1
  const message = pluginMessage(state)
  if (message !== null) sendToPages(state, 'tillwright:plugin', message)
  sendTools(state)
}

/** Sends the toolbars' current choices. */
function sendTools(state: DevState): void {
  const tools = toolbarData(state)
  if (tools !== null) sendToPages(state, 'tillwright:tools', tools)
}

/** The data of toolbars; `null` before there is a session. */
function toolbarData({ served, binding, scenarios }: DevState): ToolbarData | null {
  if (served === null || binding === null) return null
  const { file, pages, configuration } = served.plugin
  const { platform, preview, scenario } = binding
  return {
    pluginId: file.pluginId,
    sessionId: preview.sessionId,
    scenario,
    scenarios,
    presets: Object.keys(configuration.presets),
    cards: Object.keys(scenarioCards),
    windows: viewports,
    steps: pages.map((page) => ({
      id: stepIdOf(page.id),
      name: page.name,
      address: pageAddress(page, scenario.params),
    })),
    timelinesUrl: platform.environment === 'local' ? `${platform.apiUrl}/acs/timeline` : null,
  }
}

/** Actions that pages may request. */
interface PageActions {
  /** Begins another session and shows it in every page. */
  restart: (scenario: Scenario) => Promise<void>
  inspector: Inspector
}

/** Answers the messages of pages: greetings, errors, and requests of their toolbars. */
function answerPages(state: DevState, { restart, inspector }: PageActions): void {
  const { hot } = state.modules.environments.client
  hot.on('tillwright:hello', ({ revision, updates }, client) => {
    // The page may have loaded modules from before the change.
    if (updates !== state.updates) return client.send({ type: 'full-reload', path: '*' })
    const { errors, warnings } = shownProblems(state)
    client.send('tillwright:problems', errors)
    client.send('tillwright:warnings', warnings)
    // Once running, a page hears when modules are sound again.
    if (state.board.of('modules').length > 0) client.send('tillwright:modules', { areSound: false })
    const message = revision === state.revision ? null : pluginMessage(state)
    if (message !== null) client.send('tillwright:plugin', message)
  })
  const tell = (located: Promise<ShownProblem>, client: Pick<typeof hot, 'send'>) =>
    void located.then((problem) => {
      client.send('tillwright:page-error', problem)
      if (state.pageErrors.add(client, problem)) tellProblems(state)
    })
  hot.on('tillwright:failure', async (error, client) => {
    // Browsers tell no place of an import that there is not; the modules do.
    if (isOfLinking(error)) await state.moduleProblems.check()
    if (!isOfLinking(error) || state.moduleProblems.areLinked()) tell(locateError(state.modules, error), client)
  })
  hot.on('tillwright:violation', (violation, client) => tell(locateViolation(state.modules, violation), client))
  hot.on('tillwright:runs', (_, client) => state.pageErrors.runs(client) && tellProblems(state))
  hot.on('tillwright:tools-wanted', (_, client) => {
    const tools = toolbarData(state)
    if (tools !== null) client.send('tillwright:tools', tools)
  })
  hot.on('tillwright:inspect', ({ paymentId }, client) => inspector.watch(client, paymentId))
  hot.on('tillwright:inspect-no-more', (_, client) => inspector.leave(client))
  hot.on('vite:client:disconnect', (_, client) => {
    inspector.leave(client)
    state.pageErrors.leave(client)
  })
  hot.on('tillwright:begin', ({ scenario: wanted }) => {
    const read = scenarioSchema.safeParse(wanted)
    const begun = read.success ? restart(read.data) : Promise.reject(read.error)
    begun.catch((error: unknown) => state.tell({ type: 'notice', message: String(Object(error).message ?? error) }))
  })
}

/** Whether a module could not run because it imports a name that another one does not export. */
function isOfLinking({ message }: PageError): boolean {
  return message.startsWith('SyntaxError') && /\b(?:export|import)/.test(message)
}

/** Actions that modules and pages may request. */
export interface ModulesOptions extends PageActions {
  /** Watches files that lie outside of the plugin, such as a package of the same workspace. */
  watch: (paths: string | readonly string[]) => void
}

/** Connects the modules of a state to pages and to the board of problems. */
export function attachModules(state: DevState, { watch, ...actions }: ModulesOptions): void {
  const { modules, board } = state
  board.set('modules', [])
  state.pageErrors.leaveAll()
  state.moduleProblems = moduleProblems(modules, {
    entries: () => [...new Set(state.served?.plugin.pages.map(({ entry }) => entry))],
    changed(problems) {
      board.set('modules', problems)
      sendToPages(state, 'tillwright:modules', { areSound: problems.length === 0 })
    },
    restart: () => sendToPages(state, 'tillwright:restart', {}),
  })
  modules.watcher.add = (paths) => {
    watch(paths)
    return modules.watcher
  }
  answerPages(state, actions)
}
