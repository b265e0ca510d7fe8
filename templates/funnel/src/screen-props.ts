/** What every screen is given. */
export interface ScreenProps {
  /** Shows what follows the screen. */
  goOn: () => Promise<void>
}
