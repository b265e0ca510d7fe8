import type { BuildEntry, BuiltOutput } from './run-esbuild.ts'

/** What one page is made of: paths of outputs. */
export interface PageOutputs {
  /** The script that its document begins with. */
  script: string
  /** What that imports, at whatever remove: loaded together with it. */
  imports: string[]
  style: string | null
  /** Scripts that are loaded when the page asks for them. */
  lazy: string[]
}

/** What the entry of a page has become. */
export function pageOutputs(outputs: readonly BuiltOutput[], entry: BuildEntry): PageOutputs {
  const { path: script, style } = entryOutput(outputs, entry)
  const byPath = new Map(outputs.map((output) => [output.path, output]))
  const scripts = (path: string) => (byPath.get(path)?.imports ?? []).filter((each) => each.path.endsWith('.js'))
  const first = reach([script], (path) => scripts(path).flatMap((each) => (each.isLazy ? [] : each.path)))
  const all = reach([script], (path) => scripts(path).map((each) => each.path))
  return { script, imports: first.slice(1), style, lazy: all.filter((path) => !first.includes(path)) }
}

/**
 * The script that an entry has become.
 *
 * @throws {Error} If there is none, of which esbuild would have told before.
 */
export function entryOutput(outputs: readonly BuiltOutput[], { name, module }: BuildEntry): BuiltOutput {
  const found = outputs.find(({ path, entryPoint }) => entryPoint === module && nameBeforeHash(path) === name)
  if (found === undefined) throw new Error(`esbuild has built no "${name}" of ${module}.`)
  return found
}

/** Where a walk from some paths leads, these first. */
export function reach(start: readonly string[], next: (path: string) => readonly string[]): string[] {
  const seen = new Set(start)
  for (const path of seen) for (const found of next(path)) seen.add(found)
  return [...seen]
}

function nameBeforeHash(path: string): string | null {
  return /^assets\/(.+)-[A-Z2-7]{8}\.js$/.exec(path)?.[1] ?? null
}
