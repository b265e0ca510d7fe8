import { bankSimulator } from '@tillwright/bank-simulator'
import { readConfig } from '../src/config.ts'
import { startLocal } from '../src/local/index.ts'
import { seriesOf } from './upgrade-series.ts'

/** A platform that knows as much of the schema as `STANDS_FOR` says, in a process of its own. */
try {
  const migrations = seriesOf(process.env['STANDS_FOR'])
  const dependencies = { simulator: bankSimulator, migrations }
  const platform = await startLocal(readConfig(process.env), 'http://localhost:4410', dependencies)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void platform.stop())
  await platform.announce(null)
} catch (error) {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
}
