import { configFormats } from '@tillwright/contract'
import type { Ajv } from 'ajv'
import { type FormatName, fullFormats } from 'ajv-formats/dist/formats.js'

/** The names of all supported formats. */
export const formatNames: readonly string[] = [...new Set([...Object.keys(configFormats), ...Object.keys(fullFormats)])]

/**
 * Adds the formats to Ajv: those of the contract, then those of JSON Schema. Ajv's own `format` supports only strings
 * and numbers, but a translation is an object.
 */
export function addFormats(ajv: Ajv): Ajv {
  return ajv.removeKeyword('format').addKeyword({ keyword: 'format', schemaType: 'string', validate: fits })
}

function fits(format: string, value: unknown): boolean {
  const own = Object.hasOwn(configFormats, format) ? configFormats[format] : undefined
  if (own !== undefined) return typeOf(value) !== own.of || own.test(value)
  return !isStandard(format) || fitsStandard(format, value)
}

function typeOf(value: unknown): string {
  return Array.isArray(value) || value === null ? 'other' : typeof value
}

function isStandard(format: string): format is FormatName {
  return Object.hasOwn(fullFormats, format)
}

function fitsStandard(name: FormatName, value: unknown): boolean {
  const format = fullFormats[name]
  if (format === true || typeof format === 'string') return true
  if (format instanceof RegExp) return typeof value !== 'string' || format.test(value)
  if (typeof format === 'function') return typeof value !== 'string' || format(value)
  const { type = 'string', validate } = format
  if (typeof value !== type) return true
  if (validate instanceof RegExp) return validate.test(String(value))
  // No format in that table is asynchronous, and each accepts values of the type it names.
  return typeof validate !== 'function' || (validate as (value: unknown) => boolean)(value)
}
