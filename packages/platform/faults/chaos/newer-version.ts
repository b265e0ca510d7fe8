import { bankSimulator } from '@tillwright/bank-simulator'
import { readConfig } from '../../src/config.ts'
import { startLocal } from '../../src/local/start-local.ts'
import { type Migration, schemaOf } from '../../src/storage/migration.ts'
import { migrations } from '../../src/storage/migrations.ts'

// The platform's own program as one of its next releases: each adds a column to payments, and fills it. `RELEASE` counts
// them.

const number = (ahead: number) => String(schemaOf(migrations) + ahead).padStart(4, '0')

function stepsOf(release: number): Migration[] {
  const column = `added_by_release_${release}`
  return [
    { id: `${number(2 * release - 1)}-add`, statements: [`ALTER TABLE payments ADD COLUMN ${column} {text}`] },
    {
      id: `${number(2 * release)}-fill`,
      phase: 'backfill',
      table: 'payments',
      key: ['account_id', 'id'],
      set: `${column} = status`,
      where: `${column} IS NULL`,
    },
  ]
}

const releases = Array.from({ length: Number(process.env['RELEASE']) }, (_, index) => stepsOf(index + 1))
const platform = await startLocal(readConfig(process.env), 'http://localhost:4410', {
  simulator: bankSimulator,
  migrations: [...migrations, ...releases.flat()],
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void platform.stop())
await platform.announce(null)
