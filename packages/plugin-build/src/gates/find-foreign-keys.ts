import type { Finding } from './finding.ts'

const publishableKey = /\b(test|live)_pk_[0-9A-Za-z]{36}\b/g

/** Publishable keys that are not of the kind of the target: a page with one would take no real money, or would. */
export function findForeignKeys(text: string, target: 'test' | 'live'): Finding[] {
  return [...text.matchAll(publishableKey)].flatMap(({ 1: kind = '', index }) => {
    if (kind === target) return []
    const rule = `A build for a ${target} target must not hold a ${kind} key.`
    const fix = 'Read the key from the data that the platform gives the page, which is always the right one.'
    return { code: 'foreign-key', severity: 'error', index, rule, fix }
  })
}
