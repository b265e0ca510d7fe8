import { routeParams } from '@tillwright/contract'
import type { JsonPath } from '../read/json-pointer.ts'
import { listOf, objectOf } from '../read/plain.ts'
import { newRequirement } from './new-requirement.ts'
import type { Rewriting } from './rewriting.ts'

/** Gives the features of each page today's shape. */
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
      `The feature's type "${type}" is now "${now}", as steps of funnels are called.`,
    )
  }
  for (const [index, requirement] of listOf(requirements).entries()) {
    const now = newRequirement(requirement, params)
    if (now !== null) rewriting.set([...path, 'requirements', index], now.requirement, now.change)
  }
}

/** `thank-you` and `thankYou` as `thank_you`; what cannot be a type of steps stays as it is. */
function stepTypeOf(written: string): string {
  const snake = written
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-\s]+/g, '_')
    .toLowerCase()
  return /^[a-z][a-z0-9_]{0,63}$/.test(snake) ? snake : written
}
