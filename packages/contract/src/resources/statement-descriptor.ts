import { z } from 'zod'
import { STATEMENT_DESCRIPTOR_MAX_CHARS } from '../limits.ts'

const examples = ['ORDER 1042']

/** What may be added to a statement. Source: Stripe, "Statement descriptors"; the networks' rules are as narrow. */
export const statementDescriptor = z
  .string()
  .max(STATEMENT_DESCRIPTOR_MAX_CHARS)
  .regex(
    /^(?=.*[A-Za-z])[ !#-&()+-;=?-[\]-~]+$/,
    'must be printable ASCII with at least one letter, without < > \\ * and quotes',
  )
  .meta({
    description:
      'What the buyer reads on the statement behind the merchant’s own name: up to 20 characters of ASCII with at ' +
      'least one letter, without `<`, `>`, `\\`, `*` and quotes. A processor that cannot add to a statement leaves it out.',
    examples,
  })

/** The same as a payment shows it. */
export const shownDescriptor = z.string().nullable().meta({
  description: 'What the buyer reads on the statement behind the merchant’s own name; null for nothing.',
  examples,
})
