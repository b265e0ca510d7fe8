import { readConfig } from './config.ts'
import { startLocal } from './local/index.ts'
import { withKeys } from './platform-keys.ts'
import { type Platform, startPlatform } from './platform.ts'
import { ConfigError, OperatorError } from './runtime/index.ts'
import type { Simulator } from './simulator.ts'

/** Where a developer's shop is expected, unless the CLI says otherwise. */
const SHOP_URL = 'http://localhost:4410'

/** Warns someone who meant to start a production server, before the first buyer finds out. */
const UNNAMED_ENVIRONMENT = `
  TILLWRIGHT_ENVIRONMENT is not set, so this is a LOCAL platform: plain HTTP on this machine alone, test keys,
  simulated processors, no rate limits. Nothing that it takes is money.
  Set TILLWRIGHT_ENVIRONMENT to "production" or "development" on a server, or to "local" if this is what you want.

`

/** Starting again will not help until a setting has been changed. Source: sysexits.h, EX_CONFIG. */
const EXIT_CONFIG = 78
/** How long a start that has failed may take to close what it had opened. */
const CLOSE_MS = 2_000

try {
  if (process.env['TILLWRIGHT_ENVIRONMENT'] === undefined) process.stderr.write(UNNAMED_ENVIRONMENT)
  const config = readConfig(process.env)
  if (config.environment === 'local') {
    const platform = await startLocal(config, SHOP_URL, await findSimulator())
    stopOnSignal(platform)
    await platform.announce(null)
  } else {
    const dependencies = config.environment === 'production' ? {} : await findSimulator()
    stopOnSignal(await startPlatform(withKeys(config), dependencies))
  }
} catch (error) {
  // An `OperatorError` is printed as one line; anything else is a bug and keeps its stack.
  const text = error instanceof OperatorError ? error.message : String(error instanceof Error ? error.stack : error)
  process.stderr.write(`${text}\n`)
  process.exitCode = isWrongSetting(error) ? EXIT_CONFIG : 1
  setTimeout(() => process.exit(), CLOSE_MS).unref() // a supervisor would take what is left open for a platform at work
}

/** A port or a file that this user may not use is one, too, until another is named. */
function isWrongSetting(error: unknown): boolean {
  if (error instanceof ConfigError) return true
  return error instanceof OperatorError && Object(error.cause).code === 'EACCES'
}

/** The first signal stops; the second ends at once, with the exit code that shells use for it: 128 and its number. */
function stopOnSignal(platform: Platform): void {
  let isStopping = false
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(128 + number)
      isStopping = true
      void platform.stop()
    })
  }
}

/** The simulator, if it is installed: production does without, and development may. */
async function findSimulator(): Promise<{ simulator?: Simulator }> {
  try {
    const { bankSimulator } = await import('@tillwright/bank-simulator')
    return { simulator: bankSimulator }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing && error.message.includes('@tillwright/bank-simulator')) return {}
    throw error
  }
}
