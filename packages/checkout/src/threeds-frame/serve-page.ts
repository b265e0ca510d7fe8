import { parseThreedsToFrame } from '../wire/threeds-to-frame.ts'
import type { ThreedsStep, ThreedsToPage } from '../wire/threeds-to-page.ts'
import { runSession } from './run-session.ts'
import type { ThreedsConfig } from './threeds-config.ts'

/** Authenticates for the page at the other end of the port: one session, from `start` to `done` or `failed`. */
export function servePage(port: MessagePort, config: ThreedsConfig, dialog: HTMLDialogElement): void {
  const post = (message: ThreedsToPage): void => port.postMessage(message)
  let go = (): void => {}
  const onStep = (step: ThreedsStep): Promise<void> => {
    post({ type: 'step', step, title: document.title })
    return new Promise((resolve) => {
      go = resolve
    })
  }
  port.onmessage = ({ data }) => {
    const message = parseThreedsToFrame(data)
    if (message?.type === 'go') go()
    if (message?.type === 'cancel') dialog.close()
    if (message?.type !== 'start') return
    runSession(message, { config, dialog, onStep }).then(
      (result) => post({ type: 'done', ...result }),
      (error: Error) => post({ type: 'failed', message: error.message }),
    )
  }
}
