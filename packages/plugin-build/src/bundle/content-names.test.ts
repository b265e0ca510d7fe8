import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashToken, nameByContent, tokenIn } from './content-names.ts'

/** Files that refer to each other: each with its own text, and the indexes of the files it refers to. */
const graphs = fc
  .array(fc.tuple(fc.constantFrom('a', 'b'), fc.array(fc.nat(4), { maxLength: 3 })), { minLength: 1, maxLength: 5 })
  .map((nodes) => nodes.map(([text, refers]) => ({ text, refers: refers.map((each) => each % nodes.length) })))

/** Three files with the same content, one of which refers to itself and to another. */
const alikeInACircle = [
  { text: 'b', refers: [0, 1] },
  { text: 'b', refers: [1, 1] },
  { text: 'b', refers: [1, 1] },
]

/** The files as produced on a machine with these hashes. */
function filesOf(graph: readonly { text: string; refers: number[] }[], machine: string) {
  const name = (index: number) => `f-${hashToken(`${machine} ${index}`)}.js`
  return graph.map(({ text, refers }, index) => {
    const content = [text, ...refers.map((each) => `import"./${name(each)}"`)].join(';')
    return { path: `assets/${name(index)}`, text: content, bytes: Buffer.from(content) }
  })
}

test('names and contents do not depend on the previous names of files', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const [here, there] = ['here', 'there'].map((machine) => nameByContent(filesOf(graph, machine), new Map()))
      expect(there).toEqual(here)
    }),
  )
})

test('files with the same name have the same content, and every name in them is the name of a file', () => {
  fc.assert(
    fc.property(graphs, graphs, (one, other) => {
      const all = [one, other].map((graph) => nameByContent(filesOf(graph, 'here'), new Map()))
      const contents = new Map(all.flat().map(({ path, text }) => [path, text]))
      for (const { path, text } of all.flat()) {
        expect(text).toBe(contents.get(path))
        for (const [, named = ''] of (text ?? '').matchAll(/"\.\/([^"]+)"/g))
          expect(contents.has(`assets/${named}`)).toBe(true)
      }
    }),
    { examples: [[[{ text: 'a', refers: [] }], alikeInACircle]] },
  )
})

test("a file's name depends on everything it refers to, directly or indirectly, but not on what refers to it", () => {
  const graph = (text: string) => [
    { text: 'a', refers: [1] },
    { text: 'b', refers: [2] },
    { text, refers: [] },
  ]
  const names = (text: string) => nameByContent(filesOf(graph(text), 'here'), new Map()).map(({ path }) => path)
  expect(names('c').filter((name) => names('d').includes(name))).toEqual([])
  const alone = nameByContent(filesOf([{ text: 'c', refers: [] }], 'here'), new Map())
  expect(names('c')[2]).toBe(alone[0]?.path)
})

test('a placeholder becomes the name of its file', () => {
  const text = 'new URL("./w-AAAAAAAA.js")'
  const [, page] = nameByContent(
    [
      { path: 'assets/w-BBBBBBBB.js', text: 'w', bytes: Buffer.from('w') },
      { path: 'assets/page-CCCCCCCC.js', text, bytes: Buffer.from(text) },
    ],
    new Map([['AAAAAAAA', 'BBBBBBBB']]),
  )
  expect(page?.text).toMatch(/^new URL\("\.\/w-[A-Z2-7]{8}\.js"\)$/)
  expect(page?.text).not.toContain('AAAAAAAA')
  expect(tokenIn(page?.path ?? '')).not.toBe('CCCCCCCC')
})
