import { filesFor, forManager } from './for-manager.ts'
import { inJavascript } from './in-javascript.ts'
import type { MakeOptions } from './make-options.ts'
import { packageFile } from './package-file.ts'
import { idOf } from './plugin-names.ts'
import type { Files, Templates } from './templates.ts'
import { withReact } from './with-react.ts'

/** The files of a plugin: those of its template, in the language and with the names that are wanted. */
export function makeFiles(packed: Templates, wanted: MakeOptions): Files {
  const { template, language, framework, packageManager } = wanted
  const { common, modules } = packed.templates[template]
  const react = framework === 'react' ? packed.react[language] : {}
  const files = { ...common, ...modules[language], ...react, ...filesFor(packageManager) }
  return Object.fromEntries(
    Object.entries(files)
      .map(([path, text]) => [nameOfFile(path), rewritten(path, text, wanted)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** The file would make the template a workspace of its own, if it had its name there. */
function nameOfFile(path: string): string {
  return path === '_pnpm-workspace.yaml' ? 'pnpm-workspace.yaml' : path
}

function rewritten(path: string, text: string, wanted: MakeOptions): string {
  if (path === 'package.json') return packageFile(text, wanted)
  const named = withName(path, text, wanted)
  const inLanguage = wanted.language === 'javascript' ? inJavascript(path, named) : named
  const inFramework = wanted.framework === 'react' ? withReact(path, inLanguage) : inLanguage
  return forManager(path, inFramework, wanted.packageManager)
}

function withName(path: string, text: string, { name }: MakeOptions): string {
  if (path === 'README.md') return text.replace(/^# .*/, () => `# ${name}`)
  if (path !== 'plugin.manifest.json') return text
  return text
    .replace(/"pluginId": ".*?"/, () => `"pluginId": ${JSON.stringify(idOf(name))}`)
    .replace(/"name": ".*?"/, () => `"name": ${JSON.stringify(name)}`)
}
