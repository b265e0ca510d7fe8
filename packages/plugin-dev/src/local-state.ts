import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The plugin's folder for local state; git ignores it. */
export const STATE_FOLDER = '.tillwright'

/** The objects that a dev server has made in one account, for the next start. */
export interface KeptShop {
  storeId: string
  productId: string
  funnelId: string
  /** Publishable keys by the origins that they are good on, divided by spaces. */
  publishableKeys: Readonly<Record<string, string>>
}

/** The stored objects of an account, or `null`. */
export async function readKept(root: string, accountId: string): Promise<KeptShop | null> {
  return (await readAll(root))[accountId] ?? null
}

/** Stores the objects of an account, readable by its owner only. The file is replaced atomically. */
export async function writeKept(root: string, accountId: string, shop: KeptShop): Promise<void> {
  const folder = await stateFolder(root)
  const file = join(folder, 'dev.json')
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify({ ...(await readAll(root)), [accountId]: shop }, null, 2)}\n`, {
    mode: 0o600,
  })
  await rename(draft, file)
}

/** The folder of local state, created if it does not exist. */
export async function stateFolder(root: string): Promise<string> {
  const folder = join(root, STATE_FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, '.gitignore'), '*\n')
  return folder
}

/** Nothing where there is no file, or one that was cut off: all of it can be made anew. */
async function readAll(root: string): Promise<Record<string, KeptShop>> {
  try {
    return Object(JSON.parse(await readFile(join(root, STATE_FOLDER, 'dev.json'), 'utf8')))
  } catch {
    return {}
  }
}
