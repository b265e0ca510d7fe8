import { z } from 'zod'
import { OperatorError } from './errors.ts'

/** A setting is wrong or missing. The message names it and says what it must be. */
export class ConfigError extends OperatorError {
  override readonly name: string = 'ConfigError'
}

export function wrongSetting(name: string, why: string): ConfigError {
  return new ConfigError(`${name}: ${why}`)
}

/**
 * The name that was probably meant, and in how many letters it differs: put in, left out or exchanged. Source: Levenshtein.
 *
 * @param names At least one.
 */
export function nearestName(wrong: string, names: readonly string[]): { name: string; letters: number } {
  const measured = names.map((name) => ({ name, letters: lettersApart(wrong, name) }))
  return measured.reduce((best, each) => (each.letters < best.letters ? each : best))
}

function lettersApart(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1]
    for (const [j, its] of [...other].entries()) {
      const [left = 0, above = 0, before = 0] = [next[j], row[j + 1], row[j]]
      next.push(Math.min(left + 1, above + 1, before + (letter === its ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Documentation of a setting, for apps/docs/pages/operating/settings.md. */
export interface AboutSetting {
  /** Purpose of the setting, and when to change it. */
  doc: string
  /** Of a number. */
  unit?: 'seconds' | 'minutes' | 'hours' | 'days' | 'MB'
  /** The default, where it depends on other settings; otherwise it is the schema's. */
  fallback?: string
  /** Allowed values, where the schema cannot express them. */
  form?: string
}

export const aboutSettings = z.registry<AboutSetting>()

/**
 * Declares an environment variable.
 *
 * @param schema A schema of its own: the options given here are attached to it.
 */
export function setting<Schema extends z.ZodType>(schema: Schema, about: AboutSetting): Schema {
  aboutSettings.add(schema, about)
  return schema
}

/** A port, 0 for any that is free. */
export function portSchema() {
  return z.coerce.number().int().min(0).max(65_535)
}

export type Environment = 'local' | 'development' | 'production'

/** How a room reads its settings. */
export interface Reading {
  environment: Environment
  /** Notes a `ConfigError` and goes on with `undefined`, so that all settings that are wrong are named together. */
  attempt: <Value>(read: () => Value) => Value | undefined
}
