import { createRequire } from 'node:module'
import { join } from 'node:path'

// Vendure as its guide sets it up, in a process of its own. It is no dependency of ours: the bench has fetched it.
const { PEER_FOLDER = '', PEER_PORT, DATABASE_URL = '', SYNCHRONIZE } = process.env
const { bootstrap, DefaultLogger, LogLevel } = createRequire(join(PEER_FOLDER, 'x.js'))('@vendure/core')
const { hostname: host, port, username, password, pathname } = new URL(DATABASE_URL)

await bootstrap({
  apiOptions: { port: Number(PEER_PORT), adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'superadmin', password: 'superadmin' },
  },
  dbConnectionOptions: {
    type: 'postgres',
    host,
    port: Number(port),
    username,
    password,
    database: pathname.slice(1),
    synchronize: SYNCHRONIZE === '1',
  },
  paymentOptions: { paymentMethodHandlers: [] },
  logger: new DefaultLogger({ level: LogLevel.Error }),
})
