import { compileLinearPattern, PatternRefused } from '@tillwright/contract/linear-pattern'
import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import { serveTasks } from '../../runtime/index.ts'
import { escapeName } from './merge.ts'
import { type Settings, withoutMeta } from './settings.ts'

/** Where a preset breaks the schema. */
export interface InvalidPreset {
  preset: string
  /** A JSON pointer into the preset; empty for the whole of it. */
  pointer: string
  message: string
}

/** To the thread: a tenant's schema, and the presets to check by it. */
export interface SchemaTask {
  schema: Settings
  presets: Readonly<Record<string, Settings>>
}

/** From the thread: where presets break the schema, or why the schema is refused. */
export type SchemaVerdict = { problems: InvalidPreset[] } | { refused: string }

const PROBLEMS_MAX = 50
const PATTERN_SHOWN_CHARS = 100
const DRAFT = 'http://json-schema.org/draft-07/schema'

// This file is the body of the threads that `check-presets.ts` starts.
serveTasks<SchemaTask, SchemaVerdict>(({ schema, presets }) => {
  try {
    refuseNoSchema(schema)
    return { problems: findProblems(schema, presets) }
  } catch (error) {
    return { refused: why(error) }
  }
})

/**
 * Knows the draft's own schema and nothing else. It is given schemas as values to check and never as schemas, so that
 * nothing of a tenant's stays in it.
 */
const draft = formats.default(new Ajv({ allErrors: true, strict: false, logger: false }))
const fitsDraft = draft.getSchema(DRAFT)

function refuseNoSchema(schema: Settings): void {
  const said = schema['$schema']
  if (said !== undefined && said !== DRAFT && said !== `${DRAFT}#`)
    throw new Error(`"$schema" must be "${DRAFT}#", or left out`)
  if (fitsDraft?.(schema) !== true) throw new Error(`schema is invalid: ${draft.errorsText(fitsDraft?.errors)}`)
}

/** Each schema has a validator of its own: in a shared one the ids of one would be known to the next. */
function findProblems(
  { $async: _, ...schema }: Settings,
  presets: Readonly<Record<string, Settings>>,
): InvalidPreset[] {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    ownProperties: true, // a setting may be called `constructor`
    code: { optimize: false, regExp },
  })
  formats.default(ajv)
  const { $schema: __, ...rules } = schema
  const validate = ajv.compile(rules)
  const problems = Object.entries(presets).flatMap(([preset, settings]) => {
    validate(withoutMeta(settings))
    return (validate.errors ?? []).map((error) => toProblem(preset, error))
  })
  return problems.slice(0, PROBLEMS_MAX)
}

/** Ajv requires `code`, which it prints into the code it generates. */
const regExp = Object.assign((pattern: string) => compileLinearPattern(pattern), { code: 'compileLinearPattern' })

function why(error: unknown): string {
  if (error instanceof PatternRefused) {
    const { pattern, refusal } = error
    const shown = pattern.length > PATTERN_SHOWN_CHARS ? `${pattern.slice(0, PATTERN_SHOWN_CHARS)}...` : pattern
    return `schema has the pattern ${JSON.stringify(shown)}. ${refusal.rule} ${refusal.fix}`
  }
  const message = error instanceof Error ? error.message : 'it cannot be read'
  return `schema is no JSON Schema that presets can be checked with: ${message}.`
}

/** A name that is missing, or one too many, is part of the place. */
function toProblem(preset: string, { instancePath, params, message = 'is not valid' }: ErrorObject): InvalidPreset {
  const name: unknown = params['missingProperty'] ?? params['additionalProperty']
  const pointer = typeof name === 'string' ? `${instancePath}/${escapeName(name)}` : instancePath
  return { preset, pointer, message }
}
