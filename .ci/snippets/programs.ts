import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import repository from '../../package.json' with { type: 'json' }
import sdk from '../../packages/plugin-sdk/package.json' with { type: 'json' }
import { publicPackages } from '../public-packages.ts'
import { root } from '../spawn-program.ts'

/** Packages of others that plugins and their pages use. */
const others = [
  '@types/node',
  '@types/react',
  '@types/react-dom',
  'axe-core',
  'playwright-core',
  'preact',
  'react',
  'react-dom',
  'typescript',
]
const modules = [join(root, 'packages/create-plugin/node_modules'), join(root, 'node_modules')]

/** The command of `npm start` once everything is built. */
const start = repository.scripts.local.split(' && ').at(-1)

/**
 * Writes the programs that readers have into a folder, which comes first in their `PATH`. Nothing is fetched: an
 * installation has to name packages that there are, and what is created has none.
 */
export async function addPrograms(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const names = [...(await publicPackages()).map(({ name }) => name), ...others].join(' ')
  addProgram(folder, 'tillwright', `exec node ${join(root, 'packages/cli/src/main.ts')} "$@"`)
  addProgram(folder, 'tsc', `exec ${join(root, 'node_modules/.bin/tsc')} "$@"`)
  addProgram(folder, 'npx', 'exec "$@"')
  addProgram(folder, 'pnpm', '[ "$*" = install ]')
  addProgram(folder, 'xdg-open', 'exit 0')
  const npm = `case "$1" in
install) shift; for name; do case " ${names} " in *" $name "*) ;; *) [ "\${name#-}" != "$name" ] || { echo "There is no package $name." >&2; exit 1; } ;; esac; done ;;
create) [ "$2" = @tillwright/plugin ] && [ "$4" != "\${4#--}" -o $# = 3 ] && folder=$3 && shift $(($# > 3 ? 4 : 3)) && exec node ${join(root, 'packages/create-plugin/dist/main.cjs')} "$folder" --no-install "$@" ;;
start) exec ${start} ;;
*) PATH=$(echo "$PATH" | sed 's,[^:]*/programs:,,g') exec npm "$@" ;;
esac`
  addProgram(folder, 'npm', npm)
}

function addProgram(folder: string, name: string, line: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`)
  chmodSync(join(folder, name), 0o755)
}

/**
 * Lays out what is installed in a folder: the packages of this repository as they are, and those of others that plugins take.
 * Of the SDK it is what is published, because plugins' types are checked with its declarations.
 */
export async function addPackages(folder: string, programs: string): Promise<void> {
  const own = (await publicPackages()).map(({ name, folder: place }) => [name, place] as const)
  const foreign = others.map(
    (name) => [name, modules.map((place) => join(place, name)).find(existsSync) ?? ''] as const,
  )
  const linked = [...own.filter(([name]) => name !== '@tillwright/plugin-sdk'), ...foreign, ['.bin', programs] as const]
  for (const [name, place] of linked) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(place, join(folder, 'node_modules', name))
  }
  const published = join(folder, 'node_modules/@tillwright/plugin-sdk')
  mkdirSync(published)
  cpSync(join(root, 'packages/plugin-sdk/dist'), join(published, 'dist'), { recursive: true })
  writeFileSync(join(published, 'package.json'), JSON.stringify({ ...sdk, ...sdk.publishConfig }))
}
