import { isObject } from '@tillwright/contract/json'

/** The version of the handshake and of the message tables behind it. */
export const WIRE_VERSION = 1

/** How long a hello may come after its frame's `load`: both are sent at the same time, on different ways. */
export const HELLO_AFTER_LOAD_MS = 2_000

/** How often a page asks a frame whether it is still there: of a process that has died a page is not told. */
export const PING_EVERY_MS = 5_000

/** How many questions in a row may be without an answer: a busy machine takes its time. */
export const UNANSWERED_MAX = 3

/**
 * The two window messages that there are: the frame's `hello`, and the page's answer, which carries the port. `id` is
 * drawn by the page for this one frame, so that two card forms in one page cannot be confused.
 */
export interface Handshake {
  tillwright: 'hello' | 'port'
  v: typeof WIRE_VERSION
  id: string
}

/** Whether a window message is this step of this frame's handshake. The caller checks its origin and source. */
export function isHandshake(data: unknown, step: Handshake['tillwright'], id: string): data is Handshake {
  return isObject(data) && data.tillwright === step && data.v === WIRE_VERSION && data.id === id
}
