import type { Scenario } from '../scenario.ts'

/** The size of a window, in CSS pixels. */
export interface Viewport {
  width: number
  height: number
}

/** The windows that have a name. */
export const viewports = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1_280, height: 800 },
} as const satisfies Record<string, Viewport>

/** The window of a scenario; a desktop's unless it says otherwise. */
export function viewportOf({ viewport = 'desktop' }: Pick<Scenario, 'viewport'>): Viewport {
  return typeof viewport === 'string' ? viewports[viewport] : viewport
}
