import { z } from 'zod'
import { PAGE_ORIGINS_MAX } from '../limits.ts'

const origin = z
  .string()
  .max(255)
  .refine(
    isHttpsOrigin,
    'must be an https:// origin with a host name, without a path or wildcard, such as "https://maps.example"',
  )

/** Only origins in the form in which browsers serialize them, without spaces, `;` or `,` that could extend a policy. */
function isHttpsOrigin(text: string): boolean {
  return /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

const origins = (what: string, example: string) =>
  z
    .array(origin)
    .max(PAGE_ORIGINS_MAX)
    .optional()
    .meta({
      description: `Origins from which the pages ${what}, in addition to their own host.`,
      examples: [[example]],
    })

/** Directives that a plugin can never widen: third-party code would run on the same page as the card form. */
const NEVER = ['script', 'style'] as const

/** Third-party https origins that a plugin's pages use. */
export const pageSecurity = z
  .looseObject({
    connect: origins('fetch data', 'https://api.reviews.example'),
    image: origins('show pictures', 'https://images.example'),
    font: origins('take fonts', 'https://fonts.example'),
    frame: origins('show documents in frames', 'https://maps.example'),
  })
  .superRefine((sent, context) => {
    for (const key of NEVER) {
      if (!(key in sent)) continue
      const message = `cannot be widened: include the ${key} in the plugin, which serves it from its own host`
      context.addIssue({ code: 'custom', path: [key], message })
    }
  })
export type PageSecurity = Pick<z.output<typeof pageSecurity>, 'connect' | 'image' | 'font' | 'frame'>
