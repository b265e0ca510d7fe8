import type { PageData } from '../page/page-data.ts'
import type { Surroundings } from '../page/surroundings.ts'
import type { SessionState } from '../session/session-state.ts'
import { createStore, type Store } from '../store.ts'
import { directionOf } from './direction-of.ts'

/** The language of the page, a BCP 47 tag. */
export interface LocaleStore extends Store<string> {
  /**
   * Chooses another language, which stays for this page.
   *
   * @throws {RangeError} For what is no tag.
   */
  set(tag: string): void
  dir(): 'ltr' | 'rtl'
}

/** Where a page's language comes from. */
export interface LocaleSources {
  data: Store<PageData>
  session: Store<SessionState>
  /** The languages that the plugin has, the default one first; empty for any. */
  locales: readonly string[]
  around: Pick<Surroundings, 'languages' | 'showLanguage'>
}

/**
 * Finds the language of the page: the chosen one, else the preview's, else the buyer's best that the plugin has, else the
 * store's, else the plugin's own. The document is told, now and at every change.
 */
export function openLocale({ data, session, locales, around }: LocaleSources): LocaleStore {
  let chosen: string | undefined
  const store = createStore('')
  const refresh = (): void => store.set(find())
  store.subscribe(() => around.showLanguage(store.get(), directionOf(store.get())))
  refresh()
  data.subscribe(refresh)
  session.subscribe(refresh)
  return {
    ...store,
    set(tag) {
      directionOf(tag)
      chosen = tag
      refresh()
    },
    dir: () => directionOf(store.get()),
  }

  function find(): string {
    const offered = [...around.languages, data.get().locale].find((tag) => tag && isOffered(tag))
    return chosen ?? session.get().view?.preview?.locale ?? offered ?? locales[0] ?? 'en'
  }

  function isOffered(tag: string): boolean {
    return !locales[0] || locales.some((locale) => languageOf(locale) === languageOf(tag))
  }
}

function languageOf(tag: string): string | undefined {
  return tag.toLowerCase().split('-')[0]
}
