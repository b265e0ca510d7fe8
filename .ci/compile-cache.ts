import { join } from 'node:path'
import { root } from './spawn-program.ts'

/**
 * Where Node keeps what it has compiled of the platform and the command line, types taken out, for the many processes
 * that tests start: it halves the second that each start costs. Entries are found by their content, so none is ever old;
 * a process that is killed leaves none.
 */
export const compileCache: string = join(root, 'node_modules/.cache/tillwright-tests')
