/**
 * Whether tests with a longer form run it: `pnpm soak` sets `SOAK=1`, and `npm test`, in which each has its slice, does
 * not.
 */
export const soaks = process.env['SOAK'] === '1'

/** `test.each(inSoak)(...)` is a test of a soak alone: another one proves its sentence in `npm test`, or one of its ways. */
export const inSoak: readonly true[] = soaks ? [true] : []

/** The first of several, all of them in a soak: for what is decided before a database engine is asked. */
export function firstOf<Item>(all: readonly Item[]): readonly Item[] {
  return soaks ? all : all.slice(0, 1)
}
