import type { Problem } from '../problem.ts'
import type { SourceMapText } from './clean-map.ts'
import { isPublicName } from './read-environment.ts'
import { lineStarts, positionAt } from '../read/position.ts'

const use = /\bimport\.meta\.env\.(\w+)/g
const always = new Set(['MODE', 'PROD', 'DEV'])

/** An error for each variable that the manifest asks for and nobody has given. */
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

/** Warns of variables that the plugin's own modules read and that no page will have. */
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
