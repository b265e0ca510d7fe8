/**
 * Whether tests with a longer form run it: `pnpm soak` sets `SOAK=1`, and `npm test`, in which each has its slice, does
 * not.
 */
export const soaks = process.env['SOAK'] === '1'
