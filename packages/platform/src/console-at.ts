import type { Config } from './config.ts'
import type { LocalAccount } from './http/index.ts'
import { consolePlace, OpenIdProvider } from './members/index.ts'
import { sealedColumns } from './platform-keys.ts'
import type { Services } from './request-context.ts'
import type { Migration } from './storage/index.ts'

interface ConsoleParts {
  services: Services
  localAccount: () => LocalAccount | null
  steps: readonly Migration[]
}

/** Where members sign in, by whom, and whose the platform is. */
export function consoleAt(apiUrl: string, config: Config, { services, localAccount, steps }: ConsoleParts) {
  const { openId, retention, memberIdleMs } = config
  const place = consolePlace(apiUrl, memberIdleMs)
  return {
    consolePlace: place,
    openId: openId === undefined ? null : new OpenIdProvider(openId, { place, services }),
    isOperator: operatorOf(config, localAccount),
    overseen: { retention, steps, columns: sealedColumns },
  }
}

/** Whether an account is that of who operates the platform: of one machine's, its own. */
function operatorOf({ operatorAccount, environment }: Config, localAccount: ConsoleParts['localAccount']) {
  const own = () => (environment === 'local' ? localAccount()?.accountId : undefined)
  return (accountId: string): boolean => accountId === (operatorAccount ?? own())
}
