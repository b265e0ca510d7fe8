import type { ViteHotContext } from 'vite/types/hot.d.ts'
import { failureOf, isOfModule, type PageFailure } from './watchers.ts'

/**
 * Reports what a module throws that takes the place of a former one. Vite leaves the former one in the page, and says so in the
 * console alone: here that is listened to, for as long as an update takes, because a browser shows what the page itself writes
 * there as written from here.
 */
export function watchUpdates(hot: ViteHotContext, report: (failure: PageFailure) => void): void {
  const say = console.error
  let running = 0
  const listen = (...said: unknown[]) => {
    say.apply(console, said)
    const [by, error] = said
    if (by === '[vite]' && error instanceof Error && !isOfModule(error)) report(failureOf(error))
  }
  hot.on('vite:beforeUpdate', () => {
    running += 1
    console.error = listen
  })
  hot.on('vite:afterUpdate', () => {
    running -= 1
    if (running === 0) console.error = say
  })
}
