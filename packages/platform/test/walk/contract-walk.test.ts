import { describe, expect, test } from 'vitest'
import { firstOf, soaks } from '../../../../.ci/soaks.ts'
import type { Answer } from '../send-request.ts'
import { sharedPlatform, testableEngines } from '../test-platform.ts'
import { type CaseRequest, caseRequests } from './case-request.ts'
import { operations } from './operations.ts'
import { sendTo } from './send-to.ts'

const walked = operations.map(({ id, operation }) => ({ id, operation, cases: caseRequests(operation) }))
const withCases = walked.filter(({ cases }) => cases.length > 0)
/** Requests under way at a time. */
const AT_ONCE = 40
/** Refusals do not depend on the engine, so that on the second one a part of the cases is enough, in a soak. */
const EVERY_NTH = { sqlite: 1, postgres: 8 }

test('the contract makes at least 1,500 cases, in which every field is tried', () => {
  const cases = walked.flatMap(({ id, cases: found }) => found.map((one) => ({ id, ...one })))
  const unreached = cases.filter(({ verdict }) => verdict === 'unreached')
  expect(unreached.map(({ id, path }) => `${id} ${path}: give its object an example in which it stands`)).toEqual([])
  expect(cases.length).toBeGreaterThanOrEqual(1_500)
})

describe.each(firstOf(testableEngines()))('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test.for(withCases)(
    '$id names the field that is missing or breaks a rule, and takes what is just within',
    async ({ operation, cases }) => {
      const chosen = sampled(cases, EVERY_NTH[engine])
      const answered: Answered[] = []
      for (let at = 0; at < chosen.length; at += AT_ONCE) {
        const send = async (one: CaseRequest) => ({ ...one, answer: await sendTo(platform(), operation, one.request) })
        answered.push(...(await Promise.all(chosen.slice(at, at + AT_ONCE).map(send))))
      }
      const refusals = new Set(answered.filter(({ verdict }) => verdict === 'refused').map((one) => reasonsOf(one)[0]))
      const problems = answered.map((one) => [`${one.path} (${one.rule})`, problemOf(one, refusals)])
      expect(problems.filter(([, problem]) => problem !== null)).toEqual([])
    },
  )
})

type Answered = CaseRequest & { answer: Answer }
type Reasons = ReadonlySet<string | undefined>

/**
 * All cases of every nth field, since those of one field are judged together. Of several values of one wrong type a field
 * gets one, what is falsy and what is not in turns; each gets all in a soak.
 */
function sampled(cases: readonly CaseRequest[], nth: number): CaseRequest[] {
  const fields = [...new Set(cases.map(({ path }) => path))]
  const chosen = cases.filter(({ path }) => fields.indexOf(path) % nth === 0)
  if (soaks) return chosen
  const ofType = Map.groupBy(chosen, ({ path, rule }) => `${path} ${rule}`)
  return chosen.filter((one) => {
    const same = ofType.get(`${one.path} ${one.rule}`) ?? []
    return !one.rule.startsWith('type: ') || one === same[fields.indexOf(one.path) % same.length]
  })
}

const VALUE_CODES = ['parameter_invalid', 'amount_invalid', 'currency_unsupported']

/** The error in the answer to a case; `null` if it is as the case expects. */
function problemOf({ answer, ...one }: Answered, refusals: Reasons): string | null {
  if (one.verdict === 'kept') return keptProblem({ answer, ...one }, refusals)
  if (answer.status !== 400) return `is answered with ${answer.status}: ${answer.text}`
  const { code, param = '', issues } = answer.error
  const codes = one.verdict === 'missing' ? ['parameter_missing'] : VALUE_CODES
  if (!codes.includes(code)) return `has the code ${code}`
  if (param !== one.path) return `names ${param}`
  return issues.some((issue) => issue.path === one.path && issue.code === code) ? null : 'is not among the issues'
}

/** A value within a bound may be refused for something else, never for what a value beyond the bound is refused for. */
function keptProblem(one: Answered, refusals: Reasons): string | null {
  if (one.answer.status >= 500) return `is answered with ${one.answer.status}`
  const [reason] = reasonsOf(one).filter((found) => refusals.has(found))
  return reason === undefined ? null : `is refused: ${reason}`
}

/** Field, rule and message of each problem that an answer has with the changed field; that with the value itself first. */
function reasonsOf({ path, rule, answer }: Answered): string[] {
  if (answer.status !== 400) return []
  const issues = answer.error.issues.filter((issue) => issue.path === path)
  return issues.map(({ message }) => `${path} (${rule}): ${message}`)
}
