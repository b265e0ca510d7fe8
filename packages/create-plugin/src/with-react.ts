/** What a plugin needs in the place of Preact. */
export const reactPackages = {
  dependencies: { react: '^19.3.1', 'react-dom': '^19.3.1' },
  devDependencies: { '@types/react': '^19.3.0', '@types/react-dom': '^19.3.0' },
} as const

/**
 * A file of a template as it is with React. Templates are written in what Preact and React have in common, so that only
 * names of packages differ, and the module that mounts.
 */
export function withReact(path: string, text: string): string {
  if (path.endsWith('.md')) return text.replaceAll('Preact', 'React')
  if (path === 'tsconfig.json') return text.replace('"jsxImportSource": "preact"', '"jsxImportSource": "react"')
  if (!/\.[jt]sx?$/.test(path)) return text
  return text
    .replaceAll("'@tillwright/plugin-sdk/preact'", "'@tillwright/plugin-sdk/react'")
    .replaceAll(/'preact(?:\/hooks)?'/g, "'react'")
}
