import { readConfig } from '../src/config.ts'
import { takeBackup } from '../src/operator/index.ts'

/** Takes a backup into `TO`, and ends: what `tillwright backup` does. */
await takeBackup(readConfig(process.env), process.env['TO'] ?? '')
