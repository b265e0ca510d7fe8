import { OperatorError } from './ambient/operator-error.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { startLocal } from './local/start-local.ts'
import { startPlatform, type Platform } from './platform.ts'

/** Where a developer's shop is expected, unless the CLI says otherwise. */
const SHOP_URL = 'http://localhost:4410'

try {
  const platform = await start(readConfig(process.env))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void platform.stop())
} catch (error) {
  // What an operator can mend is told in a line; anything else is a bug and keeps its stack.
  process.stderr.write(
    `${error instanceof OperatorError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exitCode = 1
}

async function start(config: Config): Promise<Platform> {
  if (config.environment !== 'local') return startPlatform({ ...config, vaultKey: config.vaultKey ?? missingKey() })
  const platform = await startLocal(config, SHOP_URL)
  await platform.announce(null)
  return platform
}

function missingKey(): never {
  throw new ConfigError('TILLWRIGHT_VAULT_KEY: is required outside "local".')
}
