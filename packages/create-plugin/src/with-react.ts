/** What a plugin needs in the place of Preact. */
export const reactPackages = {
  dependencies: { react: '^19.3.1', 'react-dom': '^19.3.1' },
  devDependencies: { '@types/react': '^19.3.0', '@types/react-dom': '^19.3.0' },
} as const

/** What a page loads at first: React alone has some 60 kB after brotli, where Preact has 5. */
const PAGE_MAX_BYTES = 100_000

/**
 * A file of a template as it is with React. Templates are written in what Preact and React have in common, so that only
 * names of packages differ, and the module that mounts.
 */
export function withReact(path: string, text: string): string {
  if (path.endsWith('.md')) return text.replaceAll('Preact', 'React')
  if (path === 'tsconfig.json') return text.replace('"jsxImportSource": "preact"', '"jsxImportSource": "react"')
  if (path === 'plugin.manifest.json') return text.replace(/"pageBytes": \d+/, `"pageBytes": ${PAGE_MAX_BYTES}`)
  if (!/\.[jt]sx?$/.test(path)) return text
  return text
    .replaceAll("'@tillwright/plugin-sdk/preact'", "'@tillwright/plugin-sdk/react'")
    .replaceAll(/'preact(?:\/hooks)?'/g, "'react'")
}
