/**
 * Whether all packages were built just now, as `.ci/verify.ts` says with `BUILT=1`. Tests that would build one again then
 * leave it alone, because others read what is built at the same time.
 */
export const isBuilt: boolean = process.env['BUILT'] === '1'
