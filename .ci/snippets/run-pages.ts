import { expect } from 'vitest'
import type { TestPlatform } from '../../packages/platform/test/test-platform.ts'
import type { PageSnippet } from './read-snippets.ts'
import { type Load, type Names, runSnippet } from './run-snippet.ts'

/** The surroundings of a page whose snippets are run in this process. */
export interface ProgramReader {
  /** Values beyond those that a shop's server has on every page. */
  having?: (platform: TestPlatform) => Names | Promise<Names>
  /** What others do before a snippet, by the beginning of that snippet. The values are for it and those after it. */
  meanwhile?: Readonly<Record<string, (platform: TestPlatform, declared: Names) => Names | Promise<Names>>>
  /** Fails if the page does not keep its promise. */
  after?: (platform: TestPlatform, declared: Names, printed: readonly string[]) => unknown
  /** Real values, by the names of examples in the text. */
  places?: (platform: TestPlatform) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

/** Runs snippets of one page in the order of its text. @throws {Error} What the first one that fails throws, with its place. */
export async function runPage(
  snippets: readonly PageSnippet[],
  reader: ProgramReader,
  { platform, having, load }: { platform: TestPlatform; having: Names; load: Load },
): Promise<void> {
  const printed: string[] = []
  const places = Object.entries((await reader.places?.(platform)) ?? {})
  let names: Names = { ...having, console: { log: print }, ...(await reader.having?.(platform)) }
  for (const [index, snippet] of snippets.entries()) {
    const [, others] = Object.entries(reader.meanwhile ?? {}).find(([start]) => snippet.code.startsWith(start)) ?? []
    names = { ...names, ...(await others?.(platform, names)) }
    const own = { orderNumber: `${snippet.page}-${index}`, idempotencyKey: `key-${snippet.page}-${index}` }
    const code = places.reduce((text, [name, value]) => text.replaceAll(name, value), snippet.code)
    const done = runSnippet({ ...snippet, code }, { ...own, ...names }, load).catch((error: unknown) => {
      throw new Error(`${snippet.place} ${String(error)}`, { cause: error })
    })
    if (snippet.until === null) names = { ...names, ...(await done) }
    else await runsUntil(snippet.until, done)
  }
  await reader.after?.(platform, names, printed)
  async function runsUntil(wanted: string, endless: Promise<Names>): Promise<void> {
    const ends: unknown[] = []
    endless.catch((error: unknown) => ends.push(error)) // it ends with the page, which is no fault of it
    await expect.poll(() => [...printed, ...ends].join('\n')).toContain(wanted)
  }
  function print(...values: unknown[]): void {
    printed.push(values.map(String).join(' '))
  }
}
