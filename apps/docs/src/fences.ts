/** Why our tests do not run a snippet, as its readers are told. `not-run="hours"` names one of these; there are no others. */
export const reasonsNotToRun = {
  cluster: 'it needs Docker, Kubernetes or a registry of images.',
  excerpt: 'it is an excerpt of our own sources.',
  hours: 'it takes from minutes to hours.',
  production: 'it needs a platform in production and a live key.',
  repository: 'it writes into the repository.',
} as const
type ReasonNotToRun = keyof typeof reasonsNotToRun

/** The opening line of a code block: its language, then attributes such as `title="..."` and `not-run="hours"`. */
export interface Fence {
  language: string
  /** The name of a file, shown above the code. */
  title: string | null
  /** Why the tests neither run nor check it, shown to readers; `null` if they do. */
  notRun: ReasonNotToRun | null
  /** The test of its own that takes it from the text; `null` for most. */
  runBy: string | null
  /**
   * The schema that a JSON snippet must match: one of the contract, the operation that takes it, or a file name such as
   * `package.json`.
   */
  schema: string | null
  /** Output of an endless command after which the tests stop it; `null` for a command that ends. */
  until: string | null
  /** `empty` for a command that needs an empty database. */
  database: string | null
}

/** A snippet of a page. */
export interface Snippet extends Fence {
  code: string
  /** Of its first line of code, counted from 1. */
  line: number
}

/** Reads the line that opens a fence, without its backticks. @throws {Error} If it is not run for no reason that there is. */
export function fenceOf(info: string): Fence {
  const [language = ''] = info.trim().split(/\s+/)
  const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(info)?.[1] ?? null
  return {
    language,
    title: attribute('title'),
    notRun: reasonOf(attribute('not-run')),
    runBy: attribute('run-by'),
    schema: attribute('schema'),
    until: attribute('until'),
    database: attribute('database'),
  }
}

function reasonOf(name: string | null): ReasonNotToRun | null {
  if (name === null || isReason(name)) return name
  throw new Error(`not-run="${name}" is no reason: say one of ${Object.keys(reasonsNotToRun).join(', ')}.`)
}

function isReason(name: string): name is ReasonNotToRun {
  return Object.hasOwn(reasonsNotToRun, name)
}

/** All snippets of a page, in order. */
export function snippetsOf(markdown: string): readonly Snippet[] {
  const lines = markdown.split('\n')
  const snippets: Snippet[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const [opening, indent = '', info = ''] = /^( *)```(.*)$/.exec(lines[at] ?? '') ?? []
    if (opening === undefined) continue
    const end = lines.findIndex((line, index) => index > at && line === `${indent}\`\`\``)
    if (end === -1) throw new Error(`A fence in line ${at + 1} is never closed.`)
    const code = lines.slice(at + 1, end).map((line) => line.slice(indent.length))
    snippets.push({ ...fenceOf(info), code: `${code.join('\n')}\n`, line: at + 2 })
    at = end
  }
  return snippets
}
