import { listOf, objectOf } from '../read/plain.ts'

/** A requirement as it is written today, and the sentence that tells what it was. */
export interface NewRequirement {
  requirement: Record<string, unknown>
  change: string
}

/**
 * Gives a requirement of an older plugin today's shape: text, or an object with `from` or `params`.
 *
 * @param params The parameters of its page's path.
 * @returns Null for one that has today's shape, and for what is no requirement.
 */
export function newRequirement(older: unknown, params: readonly string[]): NewRequirement | null {
  if (typeof older === 'string') {
    const requirement = { resource: older, ...placed({ resource: older, place: null, param: null }, params) }
    return { requirement, change: `The requirement "${older}" is now ${JSON.stringify(requirement)}.` }
  }
  const { from, params: named, ...rest } = objectOf(older)
  if (from === undefined && named === undefined) return null
  const resource = typeof rest['resource'] === 'string' ? rest['resource'] : ''
  const source = sourceOf(from)
  const [first, ...others] = namesIn(named)
  const requirement = {
    ...rest,
    ...placed(
      { resource, place: source.place ?? (first === undefined ? null : 'url'), param: source.param ?? first ?? null },
      params,
    ),
    ...(others.length > 0 && { 'x-params': others }),
    ...(from !== undefined && source.place === null && { 'x-from': from }),
  }
  return { requirement, change: `${told(from, named)} is now ${JSON.stringify(requirement)}.` }
}

function told(from: unknown, named: unknown): string {
  const was = { ...(from !== undefined && { from }), ...(named !== undefined && { params: named }) }
  return `The requirement with ${JSON.stringify(was).slice(0, 200)}`
}

/** Where older plugins say that an id comes from; `url` is the path where that has such a parameter, else the query. */
type Place = 'url' | 'query' | 'session'

const places: Readonly<Record<string, Place>> = {
  url: 'url',
  path: 'url',
  route: 'url',
  param: 'url',
  params: 'url',
  query: 'query',
  search: 'query',
  searchparams: 'query',
  session: 'session',
  context: 'session',
  state: 'session',
}

interface Source {
  place: Place | null
  param: string | null
}

/** `'url'`, `'query:orderId'`, `{ type: 'query', name: 'orderId' }`, or the first of a list of such. */
function sourceOf(from: unknown): Source {
  if (Array.isArray(from)) return sourceOf(from[0])
  if (typeof from === 'string') {
    const [place = '', param = null] = from.split(/[:.]/)
    return { place: placeOf(place), param }
  }
  const said = objectOf(from)
  const place = [said['in'], said['type'], said['source'], said['from']].find((value) => typeof value === 'string')
  const [param = null] = namesIn(said['name'] ?? said['param'] ?? said['key'])
  return { place: place === undefined ? (param === null ? null : 'url') : placeOf(place), param }
}

function placeOf(word: string): Place | null {
  const name = word.toLowerCase()
  return Object.hasOwn(places, name) ? (places[name] ?? null) : null
}

/** The names of parameters: one, a list of them, objects with a `name`, or an object by name. */
function namesIn(params: unknown): string[] {
  if (typeof params === 'string') return [params]
  if (!Array.isArray(params)) return Object.keys(objectOf(params))
  return listOf(params).flatMap((each) => {
    const { name } = objectOf(each)
    return [each, name].filter((value) => typeof value === 'string')
  })
}

interface Wanted extends Source {
  resource: string
}

/** Today's words for a place. One that nobody named is the path where that has a parameter of the resource's own. */
function placed({ resource, place, param }: Wanted, params: readonly string[]): Record<string, string> {
  const usual = `${resource}Id`
  const name = param ?? usual
  if (place === 'query') return { in: 'query', param: name }
  if (place === 'session') return {}
  if (params.includes(name)) return { in: 'path', param: name }
  return place === 'url' ? { in: 'query', param: name } : {}
}
