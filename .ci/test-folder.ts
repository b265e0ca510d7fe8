import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const PREFIX = 'tillwright-tests-'

/** A whole run has needed an eighth of it; where a container has but its 64 MiB, the disk serves as ever. */
const ROOM_BYTES = 2 * 1024 ** 3

/**
 * Where the tests of this process keep their databases and browser profiles: in memory on Linux where that has room,
 * otherwise in the system's temporary folder. A file system in memory takes `fsync` and has nothing to do for it, so that
 * nothing is switched off. What has to meet a real disk asks for `tmpdir()` in a project without this folder.
 */
export const testFolder: string = fits(IN_MEMORY) ? join(IN_MEMORY, PREFIX + process.pid) : tmpdir()

/**
 * Makes the folder for a test run, and deletes those that runs which were killed have left in memory.
 *
 * @returns A function that deletes the folder at the end of the run.
 */
export function setup(): () => void {
  if (testFolder === tmpdir()) return () => {}
  for (const name of readdirSync(IN_MEMORY)) {
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length)))) remove(join(IN_MEMORY, name))
  }
  mkdirSync(testFolder, { recursive: true, mode: 0o755 })
  const removeIt = () => remove(testFolder)
  process.on('exit', removeIt)
  return () => {
    process.off('exit', removeIt)
    removeIt()
  }
}

function fits(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ROOM_BYTES && runsPrograms(folder)
  } catch {
    return false // not there, or not ours
  }
}

/** Containers often forbid it there, and tests install programs and start them. */
function runsPrograms(folder: string): boolean {
  const scratch = mkdtempSync(join(folder, 'tillwright-try-'))
  try {
    const program = join(scratch, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    return spawnSync(program).status === 0
  } finally {
    remove(scratch)
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // another user's
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
