import { z } from 'zod'
import { PAGE_ORIGINS_MAX } from '../limits.ts'

const origin = z
  .string()
  .max(255)
  .refine(
    isHttpsOrigin,
    'must be an origin with https:// and a host name, without path or wildcard, such as "https://maps.example"',
  )

/** As browsers write it, so that it holds no space, `;` or `,` that could add to a policy. */
function isHttpsOrigin(text: string): boolean {
  return /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

const origins = (what: string, example: string) =>
  z
    .array(origin)
    .max(PAGE_ORIGINS_MAX)
    .optional()
    .meta({ description: `Whence the pages ${what}, besides their own host.`, examples: [[example]] })

/** What a policy is never widened by: code of others would run beside the card form. */
const NEVER = ['script', 'style'] as const

/** The origins of others that a plugin's pages work with: named ones, over https. */
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
      const message = `cannot be widened: put the ${key} into the plugin, which serves it from its own host`
      context.addIssue({ code: 'custom', path: [key], message })
    }
  })
export type PageSecurity = Pick<z.output<typeof pageSecurity>, 'connect' | 'image' | 'font' | 'frame'>
