/** The screens, in their order. Each is a page of the manifest and a module of `src/screens`. */
export const screenIds = ['offer', 'checkout', 'upsell', 'thank-you'] as const
export type ScreenId = (typeof screenIds)[number]

/**
 * The screen of an address; the first one where it names none.
 *
 * @param basePath Where the merchant has put the plugin, such as `/` or `/shop`.
 */
export function screenOf(pathname: string, basePath: string): ScreenId {
  const name = pathname.slice(basePath.replace(/\/$/, '').length).replaceAll('/', '')
  return screenIds.find((id) => id === name) ?? screenIds[0]
}

/** Whether a page of the funnel is a screen of this plugin. */
export function isScreen(pageId: string | null): pageId is ScreenId {
  return screenIds.some((id) => id === pageId)
}

/** The screen behind a screen, without the offer in one click where no card can pay for it; the last one is behind itself. */
export function following(screen: ScreenId, hasCard: boolean): ScreenId {
  const shown = screenIds.filter((id) => id !== 'upsell' || hasCard)
  return shown[shown.indexOf(screen) + 1] ?? screen
}
