import type { HttpContext } from './serve-operation.ts'

/** Serves an address of the simulated bank; what goes wrong there is answered in a few words. */
export type AcsRoute = (method: 'GET' | 'POST', path: string, work: (c: HttpContext) => Promise<Response>) => void
