import { packageManagers, type PackageManager, type Wanted } from './choices.ts'
import { idOf, nameOf } from './plugin-names.ts'

/** What a plugin is where nobody says otherwise. */
const FOLDER = 'my-plugin'

/**
 * What is wanted: as was said, and the usual for the rest.
 *
 * @param userAgent What package managers tell the programs that they run, such as `pnpm/12.21.0 npm/? node/v26.10.0`.
 */
export function settleOptions(said: Partial<Wanted>, userAgent: string | undefined): Wanted {
  const { name } = said
  const folder = said.folder ?? (name === undefined ? FOLDER : idOf(name))
  return {
    folder,
    name: name ?? nameOf(folder),
    template: said.template ?? 'blank',
    language: said.language ?? 'typescript',
    framework: said.framework ?? 'preact',
    packageManager: said.packageManager ?? managerOf(userAgent),
    install: said.install ?? true,
    git: said.git ?? false,
  }
}

/** Who runs this; npm where that is nobody that is known. Yarn has been another program since its version 2. */
function managerOf(userAgent = ''): PackageManager {
  const [, name, major] = /^([a-z]+)\/(\d+)/.exec(userAgent) ?? []
  if (name === 'yarn' && Number(major) > 1) return 'berry'
  const known = Object.keys(packageManagers) as PackageManager[] // what the record is made of
  return known.find((each) => each === name) ?? 'npm'
}
