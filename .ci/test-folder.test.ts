import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { setup, testFolder } from './test-folder.ts'

const isInMemory = dirname(testFolder) === '/dev/shm'

test.runIf(isInMemory)('a run begins by deleting what a killed one has left in memory, and no other folder', () => {
  const { pid } = spawnSync('true') // has ended
  const left = testFolder.replace(/\d+$/, String(pid))
  mkdirSync(left)
  const remove = setup()
  expect([left, testFolder, tmpdir()].map((folder) => existsSync(folder))).toEqual([false, true, true])
  remove()
  expect([testFolder, tmpdir()].map((folder) => existsSync(folder))).toEqual([false, true])
})
