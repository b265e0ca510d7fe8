import type { Operation } from '@tillwright/contract'
import { CommandFailed } from './terminal/fail-with.ts'

/** What an object has to fit. */
type Schema = NonNullable<Operation['body']>

/** A name of an object, or a place in a list. */
type Step = string | number

/**
 * Reads the values of `--set`, such as `['amount=5', 'customer.email=ada@example.com', 'lines[0].quantity=2']`, into an
 * object. A value that is valid JSON is parsed, anything else is text.
 *
 * @param schema What the object is for: where it wants text, `1234` and `true` are the text that was typed.
 * @throws {CommandFailed} For an argument that is not `path=value`, and for contradicting ones.
 */
export function setFields(assignments: readonly string[], schema?: Schema): Record<string, unknown> {
  const root: Record<string, unknown> = Object.create(null)
  const given = assignments.map((assignment) => {
    const at = assignment.indexOf('=')
    const steps = stepsOf(assignment.slice(0, Math.max(0, at)))
    if (steps === null) throw refused(assignment, 'must be path=value, such as amount=4200 or lines[0].quantity=2')
    const text = assignment.slice(at + 1)
    place(parentOf(root, steps, assignment), { steps, value: valueOf(text), assignment })
    return { steps, text, assignment }
  })
  const issues = schema?.safeParse(root).error?.issues ?? []
  for (const issue of issues) {
    const typed = given.find(({ steps }) => steps.join('.') === issue.path.join('.'))
    if (typed === undefined || issue.code !== 'invalid_type' || issue.expected !== 'string') continue
    const { steps, text, assignment } = typed
    if (/^[-\dtf]/.test(text)) Reflect.set(parentOf(root, steps, assignment), steps.at(-1) ?? '', text)
  }
  return root
}

/** @returns `null` for what is no path. */
function stepsOf(path: string): Step[] | null {
  if (!/^[^.[\]]+(\[\d+\])*(\.[^.[\]]+(\[\d+\])*)*$/.test(path)) return null
  return Array.from(path.matchAll(/\[(\d+)\]|[^.[\]]+/g), ([name, index]) =>
    index === undefined ? name : Number(index),
  )
}

/** The object or list that the last step is in, made where it is missing. */
function parentOf(root: object, steps: readonly Step[], assignment: string): object {
  return steps.slice(0, -1).reduce<object>((parent, step, at) => {
    const known: unknown = Object.hasOwn(parent, step) ? Reflect.get(parent, step) : undefined
    if (known === undefined) {
      const made: object = typeof steps[at + 1] === 'number' ? [] : Object.create(null)
      place(parent, { steps: steps.slice(0, at + 1), value: made, assignment })
      return made
    }
    if (typeof known !== 'object' || known === null) throw refused(assignment, `"${step}" already has a value`)
    return known
  }, root)
}

function place(
  parent: object,
  { steps, value, assignment }: { steps: readonly Step[]; value: unknown; assignment: string },
) {
  const step = steps.at(-1) ?? ''
  if (Array.isArray(parent) !== (typeof step === 'number')) throw refused(assignment, 'something else has this place')
  if (Object.hasOwn(parent, step)) throw refused(assignment, 'already has a value')
  if (Array.isArray(parent) && Number(step) > parent.length)
    throw refused(assignment, `a list is filled from its beginning: [${parent.length}] is next`)
  Reflect.set(parent, step, value)
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function refused(assignment: string, problem: string): CommandFailed {
  return new CommandFailed(`--set ${assignment}: ${problem}.`, 'usage')
}
