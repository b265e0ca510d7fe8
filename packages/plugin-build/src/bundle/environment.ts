import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { HiddenValue } from '../gates/index.ts'
import { lineStarts, positionAt, type Problem } from '../problem.ts'
import type { SourceMapText } from '../source-map.ts'

/** The variables of a build, by what may become of them. */
export interface BuildEnvironment {
  /** Those that begin with `PUBLIC_`: they are written into pages. */
  shown: Record<string, string>
  /** The values of all others that stand in the plugin's own files, as far as no shown one has the same. */
  hidden: HiddenValue[]
}

/** Later files stand behind earlier ones. Source: the order that Vite reads them in. */
const environmentFiles = ['.env.production.local', '.env.production', '.env.local', '.env']

/**
 * Reads the `.env` files of a plugin.
 *
 * @param environment The process's own variables, which win over the files.
 */
export function readEnvironment(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
): BuildEnvironment {
  const read = environmentFiles.map((file) => ({ file, variables: readVariables(root, file) }))
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
function isPublicName(name: string): boolean {
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

const use = /\bimport\.meta\.env\.(\w+)/g
const always = new Set(['MODE', 'PROD', 'DEV'])

/** An error for each variable that the manifest requires and the environment does not set. */
export function checkNeeded(needed: readonly string[], shown: Readonly<Record<string, string>>): Problem[] {
  return needed.flatMap((name): Problem[] => {
    if (Object.hasOwn(shown, name)) return []
    const place = { file: 'plugin.manifest.json', line: 1, column: 1, pointer: '/requirements/environment' }
    const rule = `The plugin is not built without ${name}.`
    return [
      {
        code: 'missing-variable',
        severity: 'error',
        ...place,
        rule,
        fix: `Set ${name} in the environment or in .env.`,
      },
    ]
  })
}

/** A warning for each variable that the plugin's own modules read and no page will have. */
export function checkVariables(maps: readonly SourceMapText[], shown: Readonly<Record<string, string>>): Problem[] {
  const sources = new Map(
    maps.flatMap(({ sources: files, sourcesContent }) =>
      files.map((file, index) => [file, sourcesContent[index]] as const),
    ),
  )
  return [...sources].flatMap(([file, text]) => {
    if (text == null || file.startsWith('node_modules/')) return []
    return [...text.matchAll(use)].flatMap(({ 1: name = '', index }): Problem[] => {
      if (Object.hasOwn(shown, name) || always.has(name)) return []
      const rule = isPublicName(name) ? `${name} has no value.` : 'Only variables that begin with PUBLIC_ reach a page.'
      const fix = isPublicName(name)
        ? `Set ${name} in the environment or in .env.`
        : `Rename ${name}, if buyers may see it.`
      return [
        {
          code: 'unknown-variable',
          severity: 'warning',
          file,
          ...positionAt(lineStarts(text), index),
          pointer: null,
          rule,
          fix,
        },
      ]
    })
  })
}

/** The package that JSX is made for. */
export type JsxRuntime = 'preact' | 'react'

/** React if the plugin's `package.json` names it and not Preact; Preact otherwise, also without a `package.json`. */
export function readJsxRuntime(root: string): JsxRuntime {
  const names = dependencyNames(join(root, 'package.json'))
  return names.has('react') && !names.has('preact') ? 'react' : 'preact'
}

const fields = ['dependencies', 'devDependencies', 'peerDependencies']

/** Empty if the file is not JSON; the package manager reports that. */
function dependencyNames(path: string): Set<string> {
  try {
    const read: Record<string, unknown> = Object(JSON.parse(readFileSync(path, 'utf8')))
    return new Set(fields.flatMap((field) => Object.keys(Object(read[field]))))
  } catch {
    return new Set()
  }
}
