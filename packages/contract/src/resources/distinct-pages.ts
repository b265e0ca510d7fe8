import type { z } from 'zod'

/** Refuses pages of which more than one says that it is the default. */
export function oneDefault(pages: readonly { isDefault?: boolean | undefined }[], context: z.RefinementCtx): void {
  const marked = pages.flatMap((each, index) => (each.isDefault === true ? [index] : []))
  for (const index of marked.slice(1)) {
    context.addIssue({ code: 'custom', path: [index, 'isDefault'], message: 'must be true for one page at most' })
  }
}

/**
 * Refuses pages that share the value of a field.
 *
 * @param same Two values are the same when it makes the same of both.
 */
export function distinct<Field extends 'id' | 'path'>(field: Field, same: (value: string) => string) {
  return (pages: readonly Record<Field, string>[], context: z.RefinementCtx): void => {
    const seen = new Set<string>()
    for (const [index, each] of pages.entries()) {
      const value = same(each[field])
      if (seen.has(value))
        context.addIssue({ code: 'custom', path: [index, field], message: 'must be unique in the manifest' })
      seen.add(value)
    }
  }
}

/** Two paths that the same addresses lead to: parameters differ in name alone, a last `/` says nothing. */
export function matchedBy(path: string): string {
  return path.replaceAll(/\/:[^/]+/g, '/:').replace(/(.)\/$/, '$1')
}
