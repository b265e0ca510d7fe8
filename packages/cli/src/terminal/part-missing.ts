import manifest from '../../package.json' with { type: 'json' }

/** Packages that are installed beside the command line by those who need them, and what commands do with each. */
const parts = {
  '@tillwright/platform': 'works with the platform itself',
  '@tillwright/plugin-dev': 'works with the dev server',
} as const
type Part = keyof typeof parts

/** What to do where a command needs the platform and only the command line is installed. */
export const platformMissing = sentence('@tillwright/platform')

/** What to do about an error that says that a part is not installed; `null` for any other error. */
export function partMissing(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return null
  const { message } = error
  const part = Object.keys(parts).find((name) => message.includes(`'${name}'`))
  return part === undefined ? null : sentence(part as Part) // one of the keys of this very literal
}

function sentence(part: Part): string {
  return `This command ${parts[part]}, which is a package of its own: install it beside this one with "npm install ${part}@${manifest.version}".`
}
