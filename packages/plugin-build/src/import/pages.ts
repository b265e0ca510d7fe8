import { routeParams } from '@tillwright/contract'
import { type JsonPath, listOf, objectOf } from '../json/index.ts'
import type { Rewriting } from './rewriting.ts'

/** Converts the features of each page to the current format. */
export function importPages(rewriting: Rewriting): void {
  for (const [index, page] of listOf(objectOf(rewriting.value)['pages']).entries()) {
    const { path, features } = objectOf(page)
    const params = typeof path === 'string' ? routeParams(path) : []
    for (const [number, feature] of listOf(features).entries()) {
      importFeature(rewriting, { path: ['pages', index, 'features', number], feature, params })
    }
  }
}

interface FeaturePlace {
  path: JsonPath
  feature: unknown
  /** The parameters of the page's path. */
  params: readonly string[]
}

function importFeature(rewriting: Rewriting, { path, feature, params }: FeaturePlace): void {
  if (typeof feature === 'string') {
    const type = stepTypeOf(feature)
    return rewriting.set(path, { type }, `The feature "${feature}" is now an object with the type "${type}".`)
  }
  const { type, requirements } = objectOf(feature)
  if (typeof type === 'string' && stepTypeOf(type) !== type) {
    const now = stepTypeOf(type)
    rewriting.set(
      [...path, 'type'],
      now,
      `The feature type "${type}" is now "${now}", the name of the funnel step type.`,
    )
  }
  for (const [index, requirement] of listOf(requirements).entries()) {
    const now = newRequirement(requirement, params)
    if (now !== null) rewriting.set([...path, 'requirements', index], now.requirement, now.change)
  }
}

/** Converts `thank-you` and `thankYou` to `thank_you`; an invalid step type is returned unchanged. */
function stepTypeOf(written: string): string {
  const snake = written
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-\s]+/g, '_')
    .toLowerCase()
  return /^[a-z][a-z0-9_]{0,63}$/.test(snake) ? snake : written
}

/** A requirement in the current format, and a sentence that describes the change. */
export interface NewRequirement {
  requirement: Record<string, unknown>
  change: string
}

/**
 * Converts an older requirement to the current format: text, or an object with `from` or `params`.
 *
 * @param params The parameters of its page's path.
 * @returns Null if it is already in the current format, or not a requirement.
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
  return { requirement, change: `${describeSource(from, named)} is now ${JSON.stringify(requirement)}.` }
}

function describeSource(from: unknown, named: unknown): string {
  const was = { ...(from !== undefined && { from }), ...(named !== undefined && { params: named }) }
  return `The requirement with ${JSON.stringify(was).slice(0, 200)}`
}

/** Where older plugins take an id from; `url` is the path if that has such a parameter, otherwise the query. */
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

/** Parses `'url'`, `'query:orderId'`, `{ type: 'query', name: 'orderId' }`, or the first of a list of these. */
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

/** The names of parameters: one, a list, objects with a `name`, or an object by name. */
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

/** The current format of an id's source. The default is the page's path if it has a parameter for the resource. */
function placed({ resource, place, param }: Wanted, params: readonly string[]): Record<string, string> {
  const usual = `${resource}Id`
  const name = param ?? usual
  if (place === 'query') return { in: 'query', param: name }
  if (place === 'session') return {}
  if (params.includes(name)) return { in: 'path', param: name }
  return place === 'url' ? { in: 'query', param: name } : {}
}
