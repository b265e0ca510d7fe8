import { runInNewContext } from 'node:vm'
import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import { ApiError } from '../../ambient/api-error.ts'
import { withoutMeta } from './config-of.ts'
import { escapeName } from './merge-settings.ts'
import type { Settings } from './live-settings.ts'

/** Where a preset breaks the schema. */
export interface InvalidPreset {
  preset: string
  /** A JSON pointer into the preset; empty for the whole of it. */
  pointer: string
  message: string
}

/** How long all presets may take: a pattern can be made to run for years. */
const TIME_LIMIT_MS = 2_000
const PROBLEMS_MAX = 50

/**
 * Checks presets against a JSON Schema of draft 7; what `meta` says of a preset is left out. Formats that nobody knows are
 * the plugin's own and hold no rule here.
 *
 * @returns At most 50 problems.
 * @throws {ApiError} `parameter_invalid` of `schema` when it is no schema, refers to others, or takes too long.
 */
export function invalidPresets(schema: Settings, presets: Readonly<Record<string, Settings>>): InvalidPreset[] {
  const ajv = validator()
  const work = () => findProblems(schema, presets, ajv)
  try {
    return runInNewContext('work()', { work }, { timeout: TIME_LIMIT_MS }) as InvalidPreset[] // what `work` returns
  } catch (error) {
    throw new ApiError(
      'parameter_invalid',
      `schema is no JSON Schema that presets can be checked with: ${why(error)}.`,
      {
        param: 'schema',
        cause: error,
      },
    )
  }
}

let made: Ajv | undefined

/** Made once, when first needed: it compiles the schema of schemas, and keeps nothing of what it is given. */
function validator(): Ajv {
  if (made !== undefined) return made
  made = new Ajv({ allErrors: true, strict: false, logger: false, addUsedSchema: false })
  formats.default(made)
  made.compile({})
  return made
}

function why(error: unknown): string {
  // It comes from another context, whose errors are not this one's.
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'checking takes too long'
  return typeof message === 'string' ? message : 'it cannot be read'
}

function findProblems(
  { $async: _, ...schema }: Settings,
  presets: Readonly<Record<string, Settings>>,
  ajv: Ajv,
): InvalidPreset[] {
  try {
    const validate = ajv.compile(schema)
    const problems = Object.entries(presets).flatMap(([preset, settings]) => {
      validate(withoutMeta(settings))
      return (validate.errors ?? []).map((error) => toProblem(preset, error))
    })
    return problems.slice(0, PROBLEMS_MAX)
  } finally {
    ajv.removeSchema(schema)
  }
}

/** A name that is missing, or one too many, is part of the place. */
function toProblem(preset: string, { instancePath, params, message = 'is not valid' }: ErrorObject): InvalidPreset {
  const name: unknown = params['missingProperty'] ?? params['additionalProperty']
  const pointer = typeof name === 'string' ? `${instancePath}/${escapeName(name)}` : instancePath
  return { preset, pointer, message }
}
