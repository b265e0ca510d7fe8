import type { ScreenId } from './rules/screens.ts'

/** What every screen is given. */
export interface ScreenProps {
  /** Shows what follows the screen. */
  goOn: () => Promise<void>
  /** Shows a screen, and no other step of the funnel. */
  goTo: (screen: ScreenId) => void
}
