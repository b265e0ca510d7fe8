/** Settings of the shop, from the environment. */
export interface Settings {
  apiUrl: string
  /** Where the checkout's script and card form come from: another origin than the shop's. */
  vaultUrl: string
  apiKey: string
  publishableKey: string
  storeId: string
  productId: string
  webhookSecret: string
  port: number
}

/**
 * Reads the settings from the environment, where `tillwright start` puts them for the command that it runs.
 *
 * @returns Or, in a sentence, which variables are missing.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings | { missing: string } {
  const missing: string[] = []
  const read = (name: string): string => {
    const value = env[name] ?? ''
    if (value === '') missing.push(name)
    return value
  }
  const settings = {
    apiUrl: read('TILLWRIGHT_API_URL'),
    vaultUrl: read('TILLWRIGHT_VAULT_URL'),
    apiKey: read('TILLWRIGHT_API_KEY'),
    publishableKey: read('TILLWRIGHT_PUBLISHABLE_KEY'),
    storeId: read('TILLWRIGHT_STORE_ID'),
    productId: read('TILLWRIGHT_PRODUCT_ID'),
    webhookSecret: read('TILLWRIGHT_WEBHOOK_SECRET'),
    port: Number(env['PORT'] ?? 4410),
  }
  if (missing.length === 0) return settings
  return {
    missing: `Missing in the environment: ${missing.join(', ')}. Run the shop with "tillwright start -- node ...".`,
  }
}
