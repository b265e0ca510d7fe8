import type { pluginFile } from '@tillwright/contract'

/** One problem that zod has found. */
export type Issue = NonNullable<ReturnType<(typeof pluginFile)['safeParse']>['error']>['issues'][number]

/** What a value must be, as the end of a sentence that begins with its name: `must be at least 1`. */
export function valueRule(issue: Issue): string {
  if (issue.message.startsWith('must ')) return issue.message // those that the contract words itself
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `must ${verb(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`
    case 'too_big':
      return `must ${verb(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? `written as ${issue.format}`}`
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'invalid_key':
      return 'must have no name of more than 255 characters'
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_element':
    case 'custom':
      return 'must have another shape'
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'an address that begins with https:// or http://',
}

function verb(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be'
}

function unit(origin: string, count: number | bigint): string {
  if (origin === 'array') return count === 1 ? ' item' : ' items'
  if (origin === 'string') return count === 1 ? ' character' : ' characters'
  return ''
}
