import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { HiddenValue } from '../gates/find-secrets.ts'

/** The variables of a build, by what may become of them. */
export interface BuildEnvironment {
  /** Those that begin with `PUBLIC_`: they are written into pages. */
  shown: Record<string, string>
  /** The values of all others that stand in the plugin's own files, as far as no shown one has the same. */
  hidden: HiddenValue[]
}

/** Later files stand behind earlier ones. Source: the order that Vite reads them in. */
const files = ['.env.production.local', '.env.production', '.env.local', '.env']

/**
 * Reads the `.env` files of a plugin.
 *
 * @param environment The process's own variables, which win over the files.
 */
export function readEnvironment(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
): BuildEnvironment {
  const read = files.map((file) => ({ file, variables: readVariables(root, file) }))
  const all = Object.assign({}, ...read.map(({ variables }) => variables).toReversed(), environment)
  const shown = Object.entries<string | undefined>(all).filter(isShown)
  const known = new Set(shown.map(([, value]) => value))
  return {
    shown: Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    hidden: read.flatMap(({ file, variables }) =>
      Object.entries(variables).flatMap(([name, value = '']) =>
        isPublicName(name) || name === 'NODE_ENV' || known.has(value) ? [] : [{ file, name, value }],
      ),
    ),
  }
}

/** Whether a variable may be read by pages. */
export function isPublicName(name: string): boolean {
  return /^PUBLIC_\w+$/.test(name)
}

function isShown(entry: [string, string | undefined]): entry is [string, string] {
  return isPublicName(entry[0]) && entry[1] !== undefined
}

/** None if there is no such file, which is the usual case. */
function readVariables(root: string, file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(join(root, file), 'utf8'))
  } catch {
    return {}
  }
}
