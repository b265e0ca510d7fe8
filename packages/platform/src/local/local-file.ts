import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the CLI, scripts and tests read to find the local platform. It exists while that platform answers. */
export interface LocalFile {
  apiUrl: string
  vaultUrl: string
  /** `null` when no shop runs. */
  shopUrl: string | null
  /** A test key without roles. */
  apiKey: string
  /** A test key with the role org:admin. */
  adminApiKey: string
  publishableKey: string
  accountId: string
  storeId: string
  productId: string
  paymentFlowId: string
  funnelId: string
  /** The step that the funnel begins with. */
  stepId: string
  webhookSecret: string
  pid: number
}

/** Writes `local.json`, readable by its owner alone; whoever reads it finds all of it or none. */
export async function writeLocalFile(folder: string, content: LocalFile): Promise<void> {
  const file = join(folder, 'local.json')
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Removes `local.json`, if it is this process's. */
export async function removeLocalFile(folder: string): Promise<void> {
  const file = join(folder, 'local.json')
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text !== null && JSON.parse(text).pid === process.pid) await rm(file, { force: true })
}
