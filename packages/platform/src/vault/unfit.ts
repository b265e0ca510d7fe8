import type { z } from 'zod'

/** Names the fields of a message that do not fit, and them alone: zod's own messages may quote what they were given. */
export function unfit(error: z.ZodError): string {
  const fields = new Set(error.issues.map((issue) => issue.path.join('.') || 'the whole'))
  return `${[...fields].join(', ')} ${fields.size === 1 ? 'is' : 'are'} missing or malformed`
}
