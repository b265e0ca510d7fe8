import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language, Template } from './choices.ts'

/** Texts of files by their path, which is relative to the plugin's folder and written with `/`. */
export type Files = Readonly<Record<string, string>>

/** A template as it is packed. */
export interface PackedTemplate {
  /** Files that are the same in any language. */
  common: Files
  modules: Readonly<Record<Language, Files>>
}

/** All that is packed beside the program. */
export interface Templates {
  templates: Readonly<Record<Template, PackedTemplate>>
  /** What stands in the place of modules where components are made with React. */
  react: Readonly<Record<Language, Files>>
}

/** The file that the build writes beside the program. */
export const TEMPLATES_FILE = 'templates.json'

/** Reads the templates that are packed beside the program. */
export function readTemplates(): Templates {
  return JSON.parse(readFileSync(join(import.meta.dirname, TEMPLATES_FILE), 'utf8'))
}
