import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Over } from './place.ts'

/** Whether a disk can be made here: only root may mount one, and in a container not even root. */
export function canMountDisk(): boolean {
  const folder = mountedDisk(1)
  if (folder !== null) removeDisk(folder)
  return folder !== null
}

/** Makes a folder that is a disk of its own, in memory and of so many megabytes. It is gone when the test is over, or when `over` says. */
export function smallDisk(sizeMb: number, over: Over = onTestFinished): string {
  const folder = mountedDisk(sizeMb)
  if (folder === null) throw new Error('No disk can be mounted here.')
  over(() => removeDisk(folder))
  return folder
}

function mountedDisk(sizeMb: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'tillwright-small-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder]).status === 0) return folder
  rmSync(folder, { recursive: true })
  return null
}

/** Lazily, because a process that was just killed may still hold a file on it. */
function removeDisk(folder: string): void {
  spawnSync('umount', ['--lazy', folder])
  rmSync(folder, { recursive: true })
}
