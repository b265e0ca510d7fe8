import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The license of each npm package that is in a bundle, below its name.
 *
 * @param metafile esbuild's metafile of the bundle; its paths are relative to `folder`.
 */
export async function licensesOf({ inputs }: { inputs: object }, folder: string): Promise<string> {
  const packages = Object.keys(inputs).flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
  const licenses = await Promise.all([...new Set(packages)].map((path) => licenseOf(join(folder, path))))
  return licenses.toSorted().join('\n')
}

/** A package without a file of its license names it in its manifest. */
async function licenseOf(folder: string): Promise<string> {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  if (typeof license !== 'string') throw new Error(`${name} names no license; see whether it may be bundled.`)
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? `By ${author?.name ?? author}.\n` : await readFile(join(folder, file), 'utf8')
  return `${name} ${version} (${license})\n\n${text}\n`
}
