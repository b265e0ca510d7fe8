import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './spawn-program.ts'
import { ofEveryRun, secondsOf, turnOf, TURNS, waiting } from './turns.ts'

const turns = Array.from({ length: TURNS }, (_, index) => `${index + 1}`)

test('every slow file is there', () => {
  expect(Object.keys(secondsOf).filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(ofEveryRun.filter((path) => secondsOf[path] === undefined)).toEqual([])
})

test('a file waits in all turns but one, or in none, and each turn lets equally many seconds through', () => {
  const waits = new Map<string, number>()
  for (const file of turns.flatMap(waiting)) waits.set(file, (waits.get(file) ?? 0) + 1)
  expect([...new Set(waits.values())]).toEqual([TURNS - 1])
  const left = turns.map((turn) => waiting(turn).reduce((sum, file) => sum + (secondsOf[file] ?? 0), 0))
  expect(Math.max(...left) - Math.min(...left)).toBeLessThan(10)
})

test('a file that names no turn waits for none', () => {
  expect([waiting(undefined), waiting('all'), waiting('0')]).toEqual([[], [], []])
})

test('every turn is drawn by some seed, the same by the same', () => {
  const drawn = new Set(Array.from({ length: 400 }, (_, seed) => `${turnOf(`${seed}`)}`))
  expect([...drawn].toSorted()).toEqual(turns.toSorted())
  expect(turnOf('4fa1c2d3')).toBe(turnOf('4fa1c2d3'))
})
