import pc from 'picocolors'
import { wrap } from '../terminal/wrap.ts'

/** Every line begins with a word for what it tells; what it tells stands behind this column. */
const COLUMN = 9

const colours = { good: pc.green, warning: pc.yellow, bad: pc.red, plain: pc.dim } as const

/** One line of what a dev server tells, with what belongs to it below. */
export function devLine(word: string, tone: keyof typeof colours, texts: readonly string[]): string {
  const [first = '', ...below] = texts.map((text) => wrap(text, COLUMN))
  const rest = below.map((text) => `${' '.repeat(COLUMN)}${text}\n`)
  return [`${colours[tone](word.padEnd(COLUMN - 1))} ${first}`.trimEnd(), '\n', ...rest].join('')
}
