import manifest from '../../package.json' with { type: 'json' }

/** What to do where a command needs the platform and only the command line is installed. */
export const platformMissing = `This command works with the platform itself, which is a package of its own: install it beside this one with "npm install @tillwright/platform@${manifest.version}".`

/** Whether something failed because the platform's package is not installed. */
export function isPlatformMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return false
  return error.message.includes("'@tillwright/platform'")
}
