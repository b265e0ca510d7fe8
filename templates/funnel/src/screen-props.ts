import type { ScreenId } from './rules/screens.ts'

/** Props of every screen. */
export interface ScreenProps {
  /** Shows what follows the screen. */
  goOn: () => Promise<void>
  /** Shows a screen, and no other step of the funnel. */
  goTo: (screen: ScreenId) => void
}
