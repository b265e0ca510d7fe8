import { idPrefixes, type Operation } from '@tillwright/contract'
import { prefixOf } from './account-ids.ts'
import { type Path, pathName, putAt, valueAt, withoutAt } from './at-path.ts'
import { requestParts } from './case-request.ts'
import { casesOf } from './cases.ts'
import { sentSchema } from './operations.ts'
import type { SentParts } from './send-to.ts'

/** A field of an operation that refers to an object by its id. */
export interface Reference {
  part: (typeof requestParts)[number]
  /** The field as an error names it. */
  path: string
  steps: Path
  /** A whole part of a request in which the field stands. */
  composed: unknown
  /** The ids of the other references, which may be part of `composed`, too. */
  others: readonly Path[]
}

/** Every reference that an operation's schemas know. A text that goes by the same rules but names no object is none. */
export function referencesOf(operation: Operation): Reference[] {
  return requestParts.flatMap((part) => {
    const schema = operation[part]
    if (schema === undefined) return []
    const cases = casesOf(sentSchema(schema), (value) => schema.safeParse(value).success)
    const found = cases.filter(({ verdict, steps }) => verdict === 'refers' && namesObject(steps))
    const places = found.flatMap(({ steps }) => placesOf(steps))
    return found.map(({ path, steps, sent }) => ({
      part,
      path,
      steps,
      composed: sent,
      others: places.filter((place) => pathName(place) !== path),
    }))
  })
}

/** The field in each of the items that stand in a composed list. */
function placesOf(steps: Path): Path[] {
  return steps.reduce<Path[]>(
    (places, step) => {
      const items = typeof step === 'number' ? Array.from({ length: step + 1 }, (_, index) => index) : [step]
      return places.flatMap((place) => items.map((item) => [...place, item]))
    },
    [[]],
  )
}

function namesObject(steps: Path): boolean {
  return /^id$|Ids?$/.test(nameOf({ steps }))
}

/** The name of the field itself, or of the list that it stands in: `processorId` of `data.processorConfigs[1].processorId`. */
export function nameOf({ steps }: Pick<Reference, 'steps'>): string {
  return String(steps.findLast((step) => typeof step === 'string'))
}

/** The prefix of the ids that a reference takes: as in a good request, as in the example, or as its name says. */
export function kindOf({ part, steps, composed }: Reference, good: SentParts): string | null {
  const byValue = prefixOf(valueAt(good[part], steps)) ?? prefixOf(valueAt(composed, steps))
  return byValue ?? kindByName(nameOf({ steps }))
}

/** The prefix of the ids that a field of this name takes: `flow` for `selectedPaymentFlowId`, `null` for `merchantId`. */
export function kindByName(name: string): string | null {
  const noun = name.replace(/Ids?$/, '').toLowerCase()
  const kinds = Object.entries(idPrefixes).map(([kind, prefix]) => [kind.toLowerCase(), prefix] as const)
  const named = kinds.filter(([kind]) => noun.endsWith(kind)).toSorted(([a], [b]) => b.length - a.length)
  const [, prefix = null] = named[0] ?? kinds.find(([kind]) => kind.endsWith(noun)) ?? []
  return prefix
}

/** Where a request is made from: a good one, ids of the caller's own by kind, and what the service reads of a part. */
export interface PlatformDependencies {
  good: SentParts
  own: ReadonlyMap<string, readonly string[]>
  /** `undefined` for a part that is not well formed. A field that an object does not know is not read. */
  read: (part: unknown) => unknown
}

/**
 * A good request with an id in one of its references. Where the good one lacks the field, as little as possible is taken
 * over from the composed one, with the caller's own ids in it.
 */
export function requestWith(reference: Reference, id: string, { good, own, read }: PlatformDependencies): SentParts {
  const { part, steps } = reference
  const base = good[part]
  const composed = putAt(withOwnIds(reference, { good, own }), steps, id)
  for (let length = steps.length; length >= 0; length--) {
    const taken = steps.slice(0, length)
    const grafted = putAt(base, taken, valueAt(composed, taken))
    const fitting = [grafted, ...Object.keys(Object(grafted)).map((name) => withoutAt(grafted, [name]))].find(
      (candidate) => valueAt(read(candidate), steps) === id,
    )
    if (fitting !== undefined) return { ...good, [part]: fitting }
  }
  throw new Error(`No request can be made with an id in ${reference.path}: give its object an example.`)
}

function withOwnIds(reference: Reference, { good, own }: Omit<PlatformDependencies, 'read'>): unknown {
  return reference.others.reduce((whole, steps) => {
    const kind = kindOf({ ...reference, steps }, good)
    const id = own.get(kind ?? '')?.[0]
    return id === undefined || valueAt(whole, steps) === undefined ? whole : putAt(whole, steps, id)
  }, reference.composed)
}
