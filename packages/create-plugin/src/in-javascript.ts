/** A file of a template as it is in JavaScript; modules have been packed without their types. */
export function inJavascript(path: string, text: string): string {
  if (path.endsWith('.md'))
    return text.replaceAll(/(?<!\.d)\.ts(x?)\b/g, '.js$1').replaceAll('TypeScript', 'JavaScript')
  return path === 'tsconfig.json' ? checkingJavascript(text) : text
}

/** Editors and `npm run check` hold what can be told without types. */
function checkingJavascript(text: string): string {
  const { compilerOptions, ...rest } = JSON.parse(text)
  const options = { ...compilerOptions, allowJs: true, checkJs: true, strict: false }
  return `${JSON.stringify({ compilerOptions: options, ...rest }, null, 2)}\n`
}
