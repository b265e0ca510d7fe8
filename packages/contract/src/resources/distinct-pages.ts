import type { z } from 'zod'

/** Refuses pages if more than one is marked as the default. */
export function oneDefault(pages: readonly { isDefault?: boolean | undefined }[], context: z.RefinementCtx): void {
  const marked = pages.flatMap((each, index) => (each.isDefault === true ? [index] : []))
  for (const index of marked.slice(1)) {
    context.addIssue({ code: 'custom', path: [index, 'isDefault'], message: 'must be true for at most one page' })
  }
}

/**
 * Refuses pages that share the value of a field.
 *
 * @param same Maps a value to its comparison key; two values with the same key are duplicates.
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

/**
 * Normalizes a path so that paths matching the same addresses are equal: parameter names and a trailing `/` do not
 * matter.
 */
export function matchKeyOf(path: string): string {
  return path.replaceAll(/\/:[^/]+/g, '/:').replace(/(.)\/$/, '$1')
}
