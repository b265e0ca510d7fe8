import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PLUGIN_FILE, type PluginFile } from '@tillwright/contract'
import { satisfies, validRange } from 'semver'
import { fileError, type Problem } from '../problem.ts'

/** The SDK that is meant if a manifest names only the range. */
const OUR_SDK = '@tillwright/plugin-sdk'
/** Source: npm, "package.json", name. */
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

/**
 * Checks the SDK that the plugin is bundled with against `requirements.sdk` and
 * `requirements.sdkVersion` of the manifest. Without them nothing is required.
 */
export function checkSdk(root: string, { sdk, sdkVersion }: NonNullable<PluginFile['requirements']>): Problem[] {
  if (sdk === undefined && sdkVersion === undefined) return []
  const name = sdk ?? OUR_SDK
  if (!packageName.test(name)) {
    const rule = `requirements.sdk must be the name of a package, but is "${name}".`
    return [problem('sdk-invalid', 'sdk', { rule, fix: `Write "${OUR_SDK}", or remove it.` })]
  }
  if (sdkVersion !== undefined && validRange(sdkVersion) === null) {
    const rule = `requirements.sdkVersion must be a range of versions, but is "${sdkVersion}".`
    return [problem('sdk-invalid', 'sdkVersion', { rule, fix: 'Write a range such as "^1.0.0".' })]
  }
  const installed = installedVersion(root, name)
  const range = sdkVersion === undefined ? '' : `@${sdkVersion}`
  if (installed === null) {
    const rule = `The plugin requires ${name}${range}, which is not installed.`
    return [problem('sdk-missing', sdk === undefined ? 'sdkVersion' : 'sdk', { rule, fix: `Install ${name}${range}.` })]
  }
  if (sdkVersion === undefined || satisfies(installed, sdkVersion, { includePrerelease: true })) return []
  const rule = `The plugin requires ${name}${range}, but would be built with version ${installed}.`
  const fix = `Install ${name}${range}, or change requirements.sdkVersion.`
  return [problem('sdk-version', 'sdkVersion', { rule, fix })]
}

function problem(code: string, field: 'sdk' | 'sdkVersion', said: Pick<Problem, 'rule' | 'fix'>): Problem {
  return fileError(PLUGIN_FILE, { code, ...said }, `/requirements/${field}`)
}

/** The version that imports in the folder resolve to: of the nearest `node_modules`, as bundlers look for it. */
function installedVersion(root: string, name: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const version = versionIn(join(folder, 'node_modules', name, 'package.json'))
    if (version !== null || folder === dirname(folder)) return version
  }
}

function versionIn(file: string): string | null {
  try {
    const { version } = Object(JSON.parse(readFileSync(file, 'utf8')))
    return typeof version === 'string' ? version : null
  } catch {
    return null // nothing is installed here
  }
}
