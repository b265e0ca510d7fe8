import { readdir, stat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { assetEndings } from '../asset-endings.ts'
import type { Finding } from '../json/index.ts'
import { fileError } from '../problem.ts'

/** What a build reads, by its name. */
const isRead = new RegExp(`\\.(?:[cm]?[jt]sx?|css|json|html|txt|${assetEndings.join('|')})$`, 'i')

/**
 * Errors for pipes, sockets and devices with the name of a file that a build would read: it would wait for what comes out
 * of them, for ever. Links to folders are not followed, because they may be circular.
 */
export async function findNoFiles(root: string, folder = ''): Promise<Finding[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  const found = entries.map(async (entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return isSearched(entry.name) ? findNoFiles(root, path) : []
    if (entry.isFile() || !isRead.test(entry.name)) return []
    const kind = await stat(join(root, path)).catch(() => null)
    return kind === null || kind.isFile() || kind.isDirectory() ? [] : [noFile(path)]
  })
  return (await Promise.all(found)).flat()
}

/** Installed packages have none, and what begins with a dot belongs to tools. */
function isSearched(name: string): boolean {
  return name !== 'node_modules' && !name.startsWith('.')
}

function noFile(file: string): Finding {
  const rule = `${file} must be a file, but it is a pipe, a socket or a device.`
  const fix = `Rename or remove it, and create ${file} as a file.`
  return { problem: fileError(file, { code: 'not-a-file', rule, fix }) }
}
