import { placeOf, openDatabase, type SchemaLog, workOnSchema } from '../src/storage/index.ts'
import { seriesOf } from './upgrade-series.ts'

/** Brings a database to what the release `STANDS_FOR` needs, and ends: what `tillwright migrate` does. */
const log: SchemaLog = { info() {}, error() {}, fatal() {} }
const migrations = seriesOf(process.env['STANDS_FOR'])
const home = process.env['TILLWRIGHT_HOME'] ?? ''
const place = placeOf({ home, databaseUrl: process.env['DATABASE_URL'], replicaUrl: undefined })
const database = await openDatabase(place, { migrations, log })
await workOnSchema(database, migrations, { contractAfterMs: 0, log })
await database.close()
