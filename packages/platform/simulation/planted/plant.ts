import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** A bug put into the platform on purpose, as a small patch over one of its files. */
export interface PlantedBug {
  name: string
  /** In `packages/platform/src`. */
  file: string
  /** Stands in the file once. */
  find: string
  replace: string
}

/** Where the files of bugs are. */
export const sources: URL = new URL('../../src/', import.meta.url)

/**
 * Puts a bug into the platform as it is loaded, so that no file is changed for it. Called before anything of the platform is
 * imported.
 */
export function plant(bug: PlantedBug): void {
  const place = new URL(bug.file, sources).href
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (url !== place) return loaded
      return { ...loaded, source: planted(bug, readFileSync(new URL(url), 'utf8')) }
    },
  })
}

/** The text of a file with a bug in it. @throws If the place for it is no longer there. */
export function planted({ name, file, find, replace }: PlantedBug, text: string): string {
  const parts = text.split(find)
  if (parts.length === 2) return parts.join(replace)
  throw new Error(`"${name}" has no place in ${file} any more: find it another one, or take it out of the list.`)
}
