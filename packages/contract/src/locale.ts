import { z } from 'zod'

/** A language tag of BCP 47, such as `pt-BR`, in its canonical spelling however it was sent: `PT-br` is read as `pt-BR`. */
export const locale = z
  .string()
  .max(64)
  .refine(isLanguageTag, { abort: true, error: 'must be a BCP 47 language tag, such as "en" or "pt-BR"' })
  .meta({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', examples: ['en-US'] })
  .transform((tag) => canonical(tag) ?? tag)

function isLanguageTag(tag: string): boolean {
  return canonical(tag) !== null
}

function canonical(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null // the one thing that it throws for is a tag that is none
  }
}
