import type { DevState } from './dev-state.ts'
import { locateError } from './problems/locate-error.ts'
import { pluginMessage } from './tell-pages.ts'

/** Answers what pages say over the web socket: that they are there, and what went wrong in them. */
export function answerPages(state: DevState): void {
  const { hot } = state.modules.environments.client
  hot.on('tillwright:hello', ({ revision }, client) => {
    client.send('tillwright:problems', state.board.errors())
    const message = revision === state.revision ? null : pluginMessage(state)
    if (message !== null) client.send('tillwright:plugin', message)
  })
  hot.on('tillwright:failure', (error, client) => {
    void locateError(state.modules, error).then((problem) => {
      client.send('tillwright:page-error', problem)
      state.tell({ type: 'problems', problems: [problem] })
    })
  })
}
