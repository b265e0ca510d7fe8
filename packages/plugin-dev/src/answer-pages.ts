import type { Problem } from '@tillwright/plugin-build'
import type { DevState } from './dev-state.ts'
import type { Inspector } from './inspect/inspector.ts'
import { locateError, locateViolation } from './problems/locate-error.ts'
import { scenario, type Scenario } from './scenarios/scenario.ts'
import { pluginMessage } from './tell-pages.ts'
import { toolbarData } from './toolbar-data.ts'

/** What pages may have done. */
export interface PageDeeds {
  /** Begins another session and shows it in every page. */
  restart: (scenario: Scenario) => Promise<void>
  inspector: Inspector
}

/**
 * Answers what pages say over the web socket: that they are there, what went wrong in them, and what their toolbars want.
 *
 * @param deeds What pages may have done.
 */
export function answerPages(state: DevState, { restart, inspector }: PageDeeds): void {
  const { hot } = state.modules.environments.client
  hot.on('tillwright:hello', ({ revision }, client) => {
    client.send('tillwright:problems', state.board.errors())
    // A page that has begun is told that modules are sound when they become so.
    if (state.board.of('modules').length > 0) client.send('tillwright:modules', { areSound: false })
    const message = revision === state.revision ? null : pluginMessage(state)
    if (message !== null) client.send('tillwright:plugin', message)
  })
  const tell = (located: Promise<Problem>, client: Pick<typeof hot, 'send'>) =>
    void located.then((problem) => {
      client.send('tillwright:page-error', problem)
      state.tell({ type: 'problems', problems: [problem] })
    })
  hot.on('tillwright:failure', (error, client) => tell(locateError(state.modules, error), client))
  hot.on('tillwright:violation', (violation, client) => tell(locateViolation(state.modules, violation), client))
  hot.on('tillwright:tools-wanted', (_, client) => {
    const tools = toolbarData(state)
    if (tools !== null) client.send('tillwright:tools', tools)
  })
  hot.on('tillwright:inspect', ({ paymentId }, client) => inspector.watch(client, paymentId))
  hot.on('tillwright:inspect-no-more', (_, client) => inspector.leave(client))
  hot.on('vite:client:disconnect', (_, client) => inspector.leave(client))
  hot.on('tillwright:begin', ({ scenario: wanted }) => {
    const read = scenario.safeParse(wanted)
    const begun = read.success ? restart(read.data) : Promise.reject(read.error)
    begun.catch((error: unknown) => state.tell({ type: 'notice', message: String(Object(error).message ?? error) }))
  })
}
