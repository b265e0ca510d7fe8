/**
 * The name of a module that is the same on every machine: below the plugin's folder its path, in a package
 * `node_modules/<package>/...` wherever the package manager keeps it, elsewhere the end of its path alone.
 *
 * @param path Relative to the plugin's folder, or absolute, or the address that a package's own source map gives.
 */
export function inputName(path: string): string {
  const names = path
    .replace(/^address:/, '')
    .replaceAll('\\', '/')
    .split('/')
  const packages = names.lastIndexOf('node_modules')
  if (packages !== -1) return names.slice(packages).join('/')
  const isInside = names[0] !== '..' && names[0] !== '' && !/^[a-z]+:$/i.test(names[0] ?? '')
  return isInside ? names.join('/') : ['outside', ...names.filter(isName).slice(-OUTSIDE_NAMES)].join('/')
}

/** Enough to tell `ui/src/button.tsx` of a neighbouring package, and too little to tell whose home folder it is in. */
const OUTSIDE_NAMES = 3

function isName(name: string): boolean {
  return name !== '..' && name !== '' && !name.endsWith(':')
}
