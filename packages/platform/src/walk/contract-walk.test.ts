import { describe, expect, test } from 'vitest'
import type { Answer } from '../testing/send-request.ts'
import { sharedPlatform, testableEngines } from '../testing/test-platform.ts'
import { caseRequests, type CaseRequest } from './testing/case-request.ts'
import { operations } from './testing/operations.ts'
import { sendTo } from './testing/send-to.ts'

const walked = operations.map(({ id, operation }) => ({ id, operation, cases: caseRequests(operation) }))
const withCases = walked.filter(({ cases }) => cases.length > 0)
/** Requests under way at a time. */
const AT_ONCE = 40
/** What is refused is refused before an engine is asked, so that a part of the cases is enough on the second one. */
const EVERY_NTH = { sqlite: 1, postgres: 8 }

test('the contract makes at least 1,500 cases, in which every field is tried', () => {
  const cases = walked.flatMap(({ id, cases: found }) => found.map((one) => ({ id, ...one })))
  const unreached = cases.filter(({ verdict }) => verdict === 'unreached')
  expect(unreached.map(({ id, path }) => `${id} ${path}: give its object an example in which it stands`)).toEqual([])
  expect(cases.length).toBeGreaterThanOrEqual(1_500)
})

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test.for(withCases)(
    '$id names the field that is missing or breaks a rule, and takes what is just within',
    async ({ operation, cases }) => {
      const wrong: string[] = []
      const chosen = cases.filter((_, index) => index % EVERY_NTH[engine] === 0)
      for (let at = 0; at < chosen.length; at += AT_ONCE) {
        const answers = chosen.slice(at, at + AT_ONCE).map(async (one) => {
          const problem = problemOf(one, await sendTo(platform(), operation, one.request))
          if (problem !== null) wrong.push(`${one.path} (${one.rule}): ${problem}`)
        })
        await Promise.all(answers)
      }
      expect(wrong).toEqual([])
    },
  )
})

const VALUE_CODES = ['parameter_invalid', 'amount_invalid', 'currency_unsupported']

/** What is wrong with the answer to a case; `null` when it is what the case asks for. */
function problemOf({ verdict, path }: CaseRequest, answer: Answer): string | null {
  if (verdict === 'kept') return refusesField(path, answer) ? `is refused: ${answer.text}` : null
  if (answer.status !== 400) return `is answered with ${answer.status}: ${answer.text}`
  const { code, param = '', issues } = answer.error
  const codes = verdict === 'missing' ? ['parameter_missing'] : VALUE_CODES
  if (!codes.includes(code)) return `has the code ${code}`
  if (param !== path) return `names ${param}`
  return issues.some((issue) => issue.path === path && issue.code === code) ? null : 'is not among the issues'
}

/** Whether an answer finds fault with a value because of its form. A fault of the service is one with any value. */
function refusesField(path: string, answer: Answer): boolean {
  if (answer.status !== 400) return answer.status >= 500
  return answer.error.issues.some((issue) => VALUE_CODES.includes(issue.code) && isWithin(issue.path, path))
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`)
}
