import { expect, test } from 'vitest'
import type { Link } from './connection.ts'
import { Groups, type Waiting } from './groups.ts'

const link: Link = { run: async () => ({ outcome: 'done', answers: [] }), close: async () => {} }
const turn = () => new Promise((resolve) => void setImmediate(resolve))

/** Three connections, of which one is eager, whose groups end when the test says so. */
function groups(gatherMs: number): { add: (items: number) => void; sizes: number[]; end: () => void } {
  const [sizes, ends]: [number[], (() => void)[]] = [[], []]
  const all = new Groups<Waiting>([link, link, link], {
    maxGroup: 64,
    eager: 1,
    gatherMs,
    settle: (_, group) => {
      sizes.push(group.length)
      return new Promise((resolve) => ends.push(resolve))
    },
  })
  const item: Waiting = { reject: (error) => expect.unreachable(error.message) }
  return {
    add: (items) => Array.from({ length: items }).forEach(() => all.add(item)),
    sizes,
    end: () => ends.shift()?.(),
  }
}

test('what comes while the eager connection is busy is gathered, and goes when that is free', async () => {
  const { add, sizes, end } = groups(60_000)
  add(2)
  await turn()
  add(1)
  await turn()
  add(3)
  end()
  await turn()
  expect(sizes).toEqual([2, 4])
})

test('sixteen that wait are worth a connection more', async () => {
  const { add, sizes } = groups(60_000)
  add(1)
  await turn()
  add(15)
  await turn()
  expect(sizes).toEqual([1])
  add(1)
  await turn()
  expect(sizes).toEqual([1, 16])
})

test('a group that takes long does not hold up what comes behind it', async () => {
  const { add, sizes } = groups(5)
  add(1)
  await turn()
  add(1)
  await expect.poll(() => sizes).toEqual([1, 1])
})
