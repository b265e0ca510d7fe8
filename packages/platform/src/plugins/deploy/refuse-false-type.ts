import { ApiError } from '../../ambient/api-error.ts'
import { contentTypeOf } from '@tillwright/contract/content-type-of'

/** Types that a browser runs, or builds a document of. */
const active = /html|xml|javascript|ecmascript|text\/css/
/** Another name of the one type of scripts. Source: RFC 9239. */
const script = /^(?:application|text)\/(?:x-)?(?:java|ecma)script$/
/** XML that is data and no document of the web. */
const feed = /^(?:application|text)\/(?:(?:atom|rdf|rss)\+)?xml$/

/**
 * Refuses a type that a browser would run and that the name of the file does not show, and the reverse. What no name tells
 * is for the author to say.
 *
 * @throws {ApiError} `parameter_invalid`.
 */
export function refuseFalseType(path: string, declared: string, param: string): void {
  const told = essenceOf(contentTypeOf(path))
  const essence = essenceOf(declared)
  if (told === essence || !/\.[^./]+$/.test(path)) return
  if (!active.test(essence) && !active.test(told)) return
  throw new ApiError(
    'parameter_invalid',
    `${path} is declared as ${essence}, and its name tells ${told}; let the two agree, or leave contentType out.`,
    { param },
  )
}

function essenceOf(type: string): string {
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (script.test(essence)) return 'text/javascript'
  return feed.test(essence) ? 'application/xml' : essence
}
