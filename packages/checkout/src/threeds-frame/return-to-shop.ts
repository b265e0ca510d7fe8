import { runSession } from './run-session.ts'
import type { ThreedsConfig } from './threeds-config.ts'

/** Authenticates in a page of its own, whose fragment is the action token, and leads back to the shop whatever comes out. */
export function returnToShop(config: ThreedsConfig, dialog: HTMLDialogElement): void {
  const leave = (): void => location.replace(config.returnUrl)
  const task = { actionToken: location.hash.slice(1), windowSize: '05' }
  void runSession(task, { config, dialog, onStep: async () => {} }).then(leave, leave)
}
