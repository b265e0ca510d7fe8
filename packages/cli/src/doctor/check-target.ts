import { createClient, TillwrightError } from '@tillwright/client'
import { checkedTarget, type Target } from '../target/target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

/** Receivers of webhooks refuse what was signed more than five minutes ago. Source: Standard Webhooks 1.0.0. */
const SKEW_FAIL_MS = 5 * 60_000
const SKEW_WARN_MS = 30_000
const ANSWER_MS = 10_000

/** Whether a platform answers, takes its key, is of the kind that it is kept as, and has the time that we have. */
export async function checkTarget(target: Pick<Target, 'name' | 'apiUrl' | 'apiKey'>): Promise<Finding[]> {
  let date: string | null = null
  const client = createClient({
    apiKey: target.apiKey,
    baseUrl: target.apiUrl,
    timeoutMs: ANSWER_MS,
    maxRetries: 0,
    fetch: async (address, init) => {
      const response = await fetch(address, init)
      date = response.headers.get('date')
      return response
    },
  })
  const name = `${target.name}: ${target.apiUrl}`
  const key = await checkLogin(client, name, target)
  return date === null ? [key] : [key, checkSkew(Date.now() - Date.parse(date), name)]
}

async function checkLogin(
  client: ReturnType<typeof createClient>,
  name: string,
  target: Pick<Target, 'name' | 'apiKey' | 'apiUrl'>,
): Promise<Finding> {
  const again = `log in again with "tillwright login --target ${target.name} --url ${target.apiUrl}"`
  try {
    checkedTarget(target)
    const { environment, accountId, roles } = await client.accounts.testKey()
    if (environment !== target.name) return fail(`${name} is a ${environment} platform`, again)
    return ok(`${name} takes the key of ${accountId} (${roles.join(', ') || 'no roles'})`)
  } catch (error) {
    if (error instanceof CommandFailed) return fail(`${name}: ${error.message}`, again)
    if (!(error instanceof TillwrightError)) throw error
    const isAway = error.status === null || error.status >= 500
    return fail(`${name}: ${error.message}`, isAway ? 'see that it runs and that its address is right' : again)
  }
}

/** @param skewMs By how much we are ahead. A `Date` header tells whole seconds. */
export function checkSkew(skewMs: number, name: string): Finding {
  const seconds = Math.round(Math.abs(skewMs) / 1_000)
  const what = `${name}: this clock is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}`
  const fix = 'let the machine set its clock by NTP: webhooks are refused whose time differs by five minutes'
  if (Math.abs(skewMs) > SKEW_FAIL_MS) return fail(what, fix)
  return Math.abs(skewMs) > SKEW_WARN_MS ? warn(what, fix) : ok(`${name}: the clocks agree`)
}
