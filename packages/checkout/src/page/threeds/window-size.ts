import type { WindowSize } from '../../wire/index.ts'

/** Below this, a page of 500 pixels would touch both edges: the bank makes better use of the whole window. */
const NARROW_PX = 540

/** The size of the bank's page for a window of this width, when the shop does not say one. */
export function pickWindowSize(widthPx: number): WindowSize {
  return widthPx < NARROW_PX ? '05' : '03'
}
