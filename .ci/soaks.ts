/**
 * Whether tests with a longer form run it: `pnpm soak` sets `SOAK=1`, and `npm test`, in which each has its slice, does
 * not.
 */
export const soaks = process.env['SOAK'] === '1'

/** The first of several, all of them in a soak: for what is decided before a database engine is asked. */
export function firstOf<Item>(all: readonly Item[]): readonly Item[] {
  return soaks ? all : all.slice(0, 1)
}
