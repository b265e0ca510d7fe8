import { ApiError } from '../../ambient/api-error.ts'
import { contentTypeOf, essenceOf, isScriptType } from '@tillwright/contract/content-type-of'

/** Types that a browser runs, or builds a document of. */
const active = /html|xml|text\/(?:css|javascript)/
/** XML that is data and no document of the web. */
const feed = /^(?:application|text)\/(?:(?:atom|rdf|rss)\+)?xml$/

/**
 * Refuses a type that a browser would run and that the name of the file does not show, and the reverse. What no name tells
 * is for the author to say.
 *
 * @throws {ApiError} `parameter_invalid`.
 */
export function refuseFalseType(path: string, declared: string, param: string): void {
  const told = kindOf(contentTypeOf(path))
  const essence = kindOf(declared)
  if (told === essence || !/\.[^./]+$/.test(path)) return
  if (!active.test(essence) && !active.test(told)) return
  throw new ApiError(
    'parameter_invalid',
    `${path} is declared as ${essence}, and its name tells ${told}; let the two agree, or leave contentType out.`,
    { param },
  )
}

/** One name for all types that a browser treats alike. */
function kindOf(type: string): string {
  if (isScriptType(type)) return 'text/javascript'
  const essence = essenceOf(type)
  return feed.test(essence) ? 'application/xml' : essence
}
