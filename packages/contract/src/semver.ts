import { z } from 'zod'
import { NAME_MAX_CHARS } from './limits.ts'

const number = '(?:0|[1-9][0-9]*)'
/** An identifier with a letter or hyphen in it may begin with zeros, a number may not. */
const prereleasePart = `(?:${number}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`
const buildPart = '[0-9A-Za-z-]+'
const listOf = (part: string) => `${part}(?:\\.${part})*`
const version = `^${number}\\.${number}\\.${number}(?:-${listOf(prereleasePart)})?(?:\\+${listOf(buildPart)})?$`

/** A version as Semantic Versioning 2.0.0 writes it, of at most 255 characters. Source: semver.org, the grammar. */
export const semver = z
  .string()
  .max(NAME_MAX_CHARS)
  .regex(new RegExp(version), 'must be a semantic version such as "1.4.0" or "2.0.0-beta.1"')
