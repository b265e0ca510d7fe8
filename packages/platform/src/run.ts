import { OperatorError } from './ambient/operator-error.ts'
import { ConfigError, readConfig } from './config.ts'
import { startLocal } from './local/start-local.ts'
import { startPlatform, type Platform } from './platform.ts'

/** Where a developer's shop is expected, unless the CLI says otherwise. */
const SHOP_URL = 'http://localhost:4410'

try {
  const config = readConfig(process.env)
  if (config.environment === 'local') {
    const platform = await startLocal(config, SHOP_URL)
    stopOnSignal(platform)
    await platform.announce(null)
  } else {
    stopOnSignal(await startPlatform({ ...config, vaultKey: config.vaultKey ?? missingKey() }))
  }
} catch (error) {
  // What an operator can mend is told in a line; anything else is a bug and keeps its stack.
  const text = error instanceof OperatorError ? error.message : String(error instanceof Error ? error.stack : error)
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}

function stopOnSignal(platform: Platform): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void platform.stop())
}

function missingKey(): never {
  throw new ConfigError('TILLWRIGHT_VAULT_KEY: is required outside "local".')
}
