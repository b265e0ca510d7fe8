import { expect, test } from 'vitest'
import { stripTypes } from '../strip-types.ts'

test('types go, with the comments above them, and the rest stays as it was written', async () => {
  const source = `import { type A, a, type B } from './a.ts'
import type { C } from './c.ts'
import './styles.css'

/** A thing. */
export interface Thing<T> {
  name: T
}

/** Looks at a thing. */
export async function look<T>({ name }: Thing<T>, all: readonly (A | B)[] = []): Promise<C | null> {
  const [first] = all as unknown[] // the first one
  return (await import('./later.tsx')).find<T>(name satisfies T, first)
}
`
  expect(await stripTypes('look.ts', source)).toBe(`import { a } from './a.js'
import './styles.css'

/** Looks at a thing. */
export async function look({ name }, all = []) {
  const [first] = all // the first one
  return (await import('./later.jsx')).find(name, first)
}
`)
})

test('what would change at run time is refused', async () => {
  await expect(stripTypes('colour.ts', 'enum Colour { Red }')).rejects.toThrow('more than types to lose')
  await expect(stripTypes('half.ts', 'const a =')).rejects.toThrow('does not parse')
})
