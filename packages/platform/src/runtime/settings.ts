import { z } from 'zod'
import { OperatorError } from './errors.ts'

/** A setting is wrong or missing. The message names it and says what it must be. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

export function wrongSetting(name: string, why: string): ConfigError {
  return new ConfigError(`${name}: ${why}`)
}

/** Documentation of a setting, for apps/docs/pages/operating/settings.md. */
export interface AboutSetting {
  /** Purpose of the setting, and when to change it. */
  doc: string
  /** Of a number. */
  unit?: 'seconds' | 'hours' | 'days' | 'MB'
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
