import { SourceMap } from 'node:module'
import type { Problem } from '@tillwright/plugin-build'
import type { ViteDevServer } from 'vite'
import { MODULES_PATH } from '../serve/addresses.ts'
import type { PolicyViolation } from '../client/policy-violations.ts'
import { shownPath } from './problem-of-error.ts'
import { problemOfViolation, type SourcePlace } from './problem-of-violation.ts'

/** An error that happened in a page. */
export interface PageError {
  message: string
  /** As the browser writes it; '' without one. */
  stack: string
}

/** The place in the plugin's own sources where an error of a page happened: the first of its stack that is one. */
export async function locateError(modules: ViteDevServer, { message, stack }: PageError): Promise<Problem> {
  return {
    code: 'page-error',
    severity: 'error',
    ...(await firstOwnPlace(modules, stack)),
    pointer: null,
    rule: message,
    fix: 'Correct the code at this place; the page goes on by itself.',
  }
}

/** The problem that a violation of a page's policy is, at the place in the plugin's own sources that wanted it. */
export async function locateViolation(modules: ViteDevServer, violation: PolicyViolation): Promise<Problem> {
  return problemOfViolation(violation, await firstOwnPlace(modules, violation.stack))
}

/** Names no file where nothing in the stack is one of the plugin's. */
async function firstOwnPlace(modules: ViteDevServer, stack: string): Promise<SourcePlace> {
  const { root } = modules.config
  const lines = stack.matchAll(/(?:https?:\/\/[^/\s]+)(\/[^\s)?]+)(?:\?[^\s):]*)?:(\d+):(\d+)/g)
  for (const [, path = '', line = '1', column = '1'] of lines) {
    if (!path.startsWith(MODULES_PATH) || path.includes('/node_modules/') || path.includes('/@vite/')) continue
    const address = `/${path.slice(MODULES_PATH.length)}`
    const module = await modules.environments.client.moduleGraph.getModuleByUrl(address)
    if (module?.file == null || !module.file.startsWith(root)) continue
    const found = originalPlace(module.transformResult?.map, Number(line), Number(column))
    return { file: shownPath(root, module.file), ...(found ?? { line: Number(line), column: Number(column) }) }
  }
  return { file: '', line: 1, column: 1 }
}

function originalPlace(map: unknown, line: number, column: number): { line: number; column: number } | null {
  if (map == null || Object(map)['mappings'] === '') return null
  const payload = map as ConstructorParameters<typeof SourceMap>[0] // what Vite keeps is a source map of version 3
  const entry = new SourceMap(payload).findEntry(line - 1, column - 1)
  if (!('originalLine' in entry) || entry.originalLine === undefined) return null
  return { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
}
