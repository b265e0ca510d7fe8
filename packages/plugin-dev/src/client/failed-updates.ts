/**
 * Tells what a module throws that takes the place of a former one. Vite leaves the former one in the page, and says so in the
 * console alone: here that is listened to.
 */
export function watchUpdates(failed: (error: Error) => void): void {
  const say = console.error.bind(console)
  console.error = (...said: unknown[]) => {
    say(...said)
    const [by, error] = said
    if (by === '[vite]' && error instanceof Error) failed(error)
  }
}
