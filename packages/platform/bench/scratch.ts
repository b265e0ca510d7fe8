import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where a run of the bench keeps its databases and scripts; gone when it ends. */
export const scratch = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'tillwright-bench-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
