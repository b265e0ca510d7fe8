import type { Problem } from '../problem.ts'

/**
 * A name that every system takes, and every address: no device of Windows, no space at an end, no dot at the last one.
 * What is good here the API takes too, whose schemas would cost more time to load than most plugins to build.
 */
const goodName = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))(?! )[^\\<>:"|?*#%\p{Cc}]*[^\\<>:"|?*#%\p{Cc}. ]$/iu

/**
 * Names that a deployment refuses: those that some system does not know, and two that are one on systems that do not
 * tell capitals apart.
 *
 * @param files By the path under which each is deployed, with the source to blame.
 */
export function checkNames(files: readonly { path: string; file: string }[]): Problem[] {
  const bad = files.filter(({ path }) => !isGoodPath(path))
  const groups = Map.groupBy(files, ({ path }) => path.normalize('NFC').toLowerCase())
  const twice = [...groups.values()].flatMap((group) => group.slice(1))
  return [
    ...bad.map(({ file }) => problem('file-name', file, ['The name of a file must be good on every system.', rename])),
    ...twice.map(({ file, path }) => problem('same-name', file, [`Two files would be deployed as "${path}".`, rename])),
  ]
}

/** Whether a file can be deployed under a path. */
export function isGoodPath(path: string): boolean {
  return path.length <= PATH_MAX_CHARS && path.split('/').every((name) => goodName.test(name))
}

/** As the API has it. */
const PATH_MAX_CHARS = 512

const rename = 'Rename the file; letters, digits, ".", "_" and "-" are always good.'

function problem(code: string, file: string, [rule, fix]: [string, string]): Problem {
  return { code, severity: 'error', file, line: 1, column: 1, pointer: null, rule, fix }
}
