import type { Wanted } from './choices.ts'

/** What the plugin is made of. */
export interface MakeOptions extends Pick<Wanted, 'name' | 'template' | 'language' | 'framework' | 'packageManager'> {
  /** Of the packages of ours that it depends on: those of this release. */
  version: string
}
