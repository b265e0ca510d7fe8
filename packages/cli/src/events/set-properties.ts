import { CommandFailed } from '../terminal/fail-with.ts'

interface Tree {
  [name: string]: unknown
}

/**
 * `['amount=5', 'card.last4="4242"']` as an object. A value is JSON where it parses as JSON, otherwise the text itself;
 * dots lead into objects.
 *
 * @throws {CommandFailed} For what is no `path=value`, and for two that contradict each other.
 */
export function setProperties(assignments: readonly string[]): Record<string, unknown> {
  const root: Tree = Object.create(null)
  for (const assignment of assignments) {
    const at = assignment.indexOf('=')
    const path = assignment.slice(0, Math.max(0, at)).split('.')
    if (path.includes(''))
      throw refused(assignment, 'must be path=value, such as amount=4200 or customer.email=ada@example.com')
    place(root, path, assignment)
  }
  return root
}

function place(root: Tree, path: readonly string[], assignment: string): void {
  const name = path.at(-1) ?? ''
  let tree = root
  for (const step of path.slice(0, -1)) {
    const next = (tree[step] ??= Object.create(null))
    if (!isTree(next)) throw refused(assignment, `"${step}" has a value of its own already`)
    tree = next
  }
  if (name in tree) throw refused(assignment, 'has a value already')
  tree[name] = valueOf(assignment.slice(assignment.indexOf('=') + 1))
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
