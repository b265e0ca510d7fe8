import { stripVTControlCharacters } from 'node:util'
import type { DevEvent } from '@tillwright/plugin-dev'
import pc from 'picocolors'

/** The terminal output for an event; '' for events that authors see anyway. */
export function showDevEvent(event: DevEvent): string {
  switch (event.type) {
    case 'ready':
      return ready(event)
    case 'session':
      return devLine('session', 'plain', [`${event.scenario} ${pc.dim(`at ${event.stepId}  ${event.sessionId}`)}`])
    case 'problems':
      return event.problems.length === 0 ? devLine('fixed', 'good', []) : event.problems.map(problem).join('')
    case 'applied':
      return devLine('applied', 'good', [event.what])
    case 'platform':
      return event.state === 'gone'
        ? devLine('waiting', 'warning', [`The platform does not respond at ${event.apiUrl}.`])
        : devLine('back', 'good', [`The platform responds at ${event.apiUrl}.`])
    case 'notice':
      return devLine('note', 'warning', [event.message])
    case 'changed':
    case 'settled':
    case 'scenarios':
      return ''
  }
}

type Problem = Extract<DevEvent, { type: 'problems' }>['problems'][number]

/** Starts with the location, so that terminals make it a link; then the source line with a caret below the column. */
function problem({ severity, file, line, column, rule, fix, excerpt = [] }: Problem): string {
  const [word, tone] = severity === 'error' ? (['error', 'bad'] as const) : (['warning', 'warning'] as const)
  const place = file === '' ? [] : [pc.bold(`${file}:${line}:${column}`)]
  const text = excerpt.find((each) => each.line === line)?.text ?? ''
  const code = codeLines(text, { line, column }).map((each) => `${' '.repeat(COLUMN)}${each}\n`)
  const cure = wrap(fix, COLUMN).split('\n')
  const below = cure.map((each) => `${' '.repeat(COLUMN)}${pc.dim(each.trimStart())}\n`)
  return [devLine(word, tone, [...place, rule]), ...code, ...below].join('')
}

/** @returns Nothing for a line without text, or whose column stands beyond a terminal's width. */
function codeLines(text: string, { line, column }: { line: number; column: number }): string[] {
  const number = `${line} `
  const room = TERMINAL_COLUMNS - COLUMN - number.length
  if (text === '' || column >= room) return []
  const shown = text.length < room ? text : `${text.slice(0, room - 2)}…`
  const before = text.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')
  return [`${pc.dim(number)}${shown}`, `${' '.repeat(number.length)}${before}${pc.red('^')}`]
}

function ready({ url, networkUrls, movedFrom, tookMs }: Extract<DevEvent, { type: 'ready' }>): string {
  const { port } = new URL(url)
  return [
    movedFrom === null ? '' : devLine('note', 'warning', [`Port ${movedFrom} is taken; using ${port} instead.`]),
    `\n${pc.bold(pc.green('The plugin is here.'))} ${pc.dim(`${(tookMs / 1_000).toFixed(1)} s`)}\n\n`,
    devLine('page', 'plain', [pc.bold(pc.cyan(`${url}/`))]),
    ...networkUrls.map((each) => devLine('network', 'plain', [pc.cyan(`${each}/`)])),
  ].join('')
}

/** The column after the label that every line starts with. */
const COLUMN = 9

const colours = { good: pc.green, warning: pc.yellow, bad: pc.red, plain: pc.dim } as const

/** A labelled line of the dev server's output, with details below. */
export function devLine(word: string, tone: keyof typeof colours, texts: readonly string[]): string {
  const [first = '', ...below] = texts.map((text) => wrap(text, COLUMN))
  const rest = below.map((text) => `${' '.repeat(COLUMN)}${text}\n`)
  return [`${colours[tone](word.padEnd(COLUMN - 1))} ${first}`.trimEnd(), '\n', ...rest].join('')
}

/** The width every terminal has, and a readable line length. */
const TERMINAL_COLUMNS = 80

/** Wraps text between words into indented lines that fit into a terminal. */
export function wrap(text: string, indent: number): string {
  const room = TERMINAL_COLUMNS - indent
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || widthOf(`${last} ${word}`) > room) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length
}
