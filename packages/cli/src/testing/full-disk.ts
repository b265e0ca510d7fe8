import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Whether this machine lets a test mount a disk: as root, on Linux. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** A folder on a disk of its own that has no room left, with these files. */
export async function fullDisk(
  files: Readonly<Record<string, string>>,
): Promise<{ folder: string; makeRoom: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'full-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder])
  onTestFinished(async () => {
    execFileSync('umount', [folder])
    await rm(folder, { recursive: true })
  })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const ballast = join(folder, 'ballast')
  await writeFile(ballast, Buffer.alloc(1_000_000)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error
  })
  return { folder, makeRoom: () => rm(ballast) }
}
