import { isAnyPort } from '../ambient/allows-origin.ts'
import type { Environment } from '@tillwright/contract'
import { OperatorError } from '../ambient/operator-error.ts'

const ORIGINS_MAX = 50

/**
 * The origins of pages, as browsers send them. Outside `local` only `https:` ones.
 *
 * @throws {OperatorError} For none, too many, and what is no origin.
 */
export function checkOrigins(origins: readonly string[], environment: Environment): string[] {
  if (origins.length === 0) {
    throw new OperatorError('--origin: name the pages that the key is for, such as --origin https://shop.example.')
  }
  const checked = new Set(origins.map((origin) => checkOrigin(origin, environment)))
  if (checked.size <= ORIGINS_MAX) return [...checked]
  throw new OperatorError(`--origin: a key is for ${ORIGINS_MAX} origins at most; make another key for the others.`)
}

function checkOrigin(text: string, environment: Environment): string {
  if (environment !== 'production' && isAnyPort(text)) return text
  const url = URL.canParse(text) ? new URL(text) : null
  const allowed = environment === 'local' ? /^https?:$/ : /^https:$/
  if (url !== null && allowed.test(url.protocol) && `${url.origin}/` === url.href) return url.origin
  const wanted = environment === 'local' ? 'scheme, host and port' : 'https:, host and port'
  throw new OperatorError(`--origin: '${text}' is not an origin; it is ${wanted} alone, such as https://shop.example.`)
}
