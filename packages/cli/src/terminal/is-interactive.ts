import { isCI } from 'std-env'

/** Whether somebody is there to answer a question. */
export function isInteractive(): boolean {
  return !isCI && process.stdin.isTTY && process.stderr.isTTY
}
