import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The pages of the plugin, each a module of its own in `src/pages`. */
export const pageIds = ['checkout', 'offer', 'upsell', 'receipt', 'account'] as const

/** Together with the five pages, 120 modules of code; styles and imported packages are additional. */
const PARTS = 115
const PARTS_OF_A_PAGE = 30

/**
 * Writes a plugin of 5 pages and 120 modules: components with some state, rules and texts, a third of them with a CSS
 * module, some of them shared between pages. Deterministic.
 *
 * @param packages A `node_modules` folder with Preact.
 */
export async function writePlugin(root: string, packages: string): Promise<void> {
  await Promise.all(['src/pages', 'src/parts'].map((path) => mkdir(join(root, path), { recursive: true })))
  await symlink(packages, join(root, 'node_modules'))
  const parts = Array.from({ length: PARTS }, (_, index) => index)
  await Promise.all([
    ...pageIds.map((id, index) => writeFile(join(root, `src/pages/${id}.tsx`), page(index))),
    ...parts.map((index) => writeFile(join(root, `src/parts/part-${index}.tsx`), part(index))),
    ...parts.filter(hasStyle).map((index) => writeFile(join(root, `src/parts/part-${index}.module.css`), style(index))),
  ])
}

function page(index: number): string {
  const used = Array.from({ length: PARTS_OF_A_PAGE }, (_, place) => (index * 21 + place) % PARTS)
  return `import { render } from 'preact'
${used.map((each) => `import { Part${each} } from '../parts/part-${each}.tsx'`).join('\n')}

function Page() {
  return <main><h1>Page ${index}</h1>${used.map((each) => `<Part${each} amount={${each * 100}} />`).join('')}</main>
}

render(<Page />, document.querySelector('#app') ?? document.body)
`
}

function part(index: number): string {
  const next = index + 1 < PARTS && index % 4 === 0 ? index + 1 : null
  return `import { useState } from 'preact/hooks'
${hasStyle(index) ? `import styles from './part-${index}.module.css'` : "const styles = { box: 'box', title: 'title' }"}
${next === null ? '' : `import { price${next} } from './part-${next}.tsx'`}

export interface Part${index}Props {
  /** Minor units. */
  amount: number
}

const texts = {
  title: 'Part ${index} of the order',
  hint: 'Nothing is charged before you confirm step ${index}.',
  retry: 'Something went wrong in part ${index}; try once more.',
}

/** The amount due, with all its parts. */
export function price${index}(amount: number, count: number): number {
  const whole = amount * count
  if (count > ${index % 7}) return Math.round(whole * 0.9${index % 10})
  return whole${next === null ? '' : ` + price${next}(amount, 1)`}
}

export function Part${index}({ amount }: Part${index}Props) {
  const [count, setCount] = useState(1)
  const [failed, setFailed] = useState(false)
  const due = price${index}(amount, count)
  async function confirm() {
    const answer = await fetch('/part/${index}', { method: 'POST', body: JSON.stringify({ count, due }) })
    setFailed(!answer.ok)
  }
  return (
    <section class={styles.box}>
      <h2 class={styles.title}>{texts.title}</h2>
      <p>{failed ? texts.retry : texts.hint}</p>
      <button type="button" onClick={() => setCount(count + 1)}>{count} of ${index + 3}</button>
      <button type="button" onClick={() => void confirm()}>{(due / 100).toFixed(2)}</button>
    </section>
  )
}
`
}

function hasStyle(index: number): boolean {
  return index % 3 === 0
}

function style(index: number): string {
  return `.box { display: grid; gap: ${index % 9}px; padding: 1rem; border: 1px solid rgb(${index}, 0, 0) }
.title { font-size: 1.${index % 10}rem; margin: 0 }
`
}
