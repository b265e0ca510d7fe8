import { lineStarts, positionAt, type Problem } from '../problem.ts'
import type { SourceMapText } from '../source-map.ts'

/** At-rules of Tailwind, which no browser knows. Source: Tailwind CSS, "Functions and directives". */
const ofTailwind = /@(?:tailwind|apply|theme|utility|custom-variant)\b/

/** A warning for each of the plugin's own styles that another tool would have to compile, which a build does not run. */
export function checkStyles(maps: readonly SourceMapText[]): Problem[] {
  const sources = new Map(
    maps.flatMap(({ sources: files, sourcesContent }) =>
      files.map((file, index) => [file, sourcesContent[index] ?? ''] as const),
    ),
  )
  return [...sources].flatMap(([file, text]): Problem[] => {
    if (!file.endsWith('.css') || file.startsWith('node_modules/')) return []
    const found = ofTailwind.exec(withoutComments(text))
    if (found === null) return []
    return [
      {
        code: 'style-not-compiled',
        severity: 'warning',
        file,
        ...positionAt(lineStarts(text), found.index),
        pointer: null,
        rule: `${found[0]} is no CSS: browsers ignore it, and a build runs neither Tailwind nor PostCSS.`,
        fix: 'Compile the file with "npx @tailwindcss/cli" into another one, and import that.',
      },
    ]
  })
}

/** With spaces in their place, so that positions stay. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => ' '.repeat(comment.length))
}
