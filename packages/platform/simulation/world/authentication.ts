import { browserData } from '../../test/browser-data.ts'
import type { Dice } from '../machine/dice.ts'
import type { Call } from './client.ts'
import type { Answer } from './platforms.ts'

/** The number of a card that is always challenged. Source: `byLast4` of `@tillwright/bank-simulator`. */
export const ASKED_CARD_NUMBER = '4000000000002503'

/** How a buyer handles a challenge: passes, at once or after a slip, fails, leaves, or posts a forged success. */
const ways = ['passes', 'passes', 'slips', 'fails', 'cancels', 'gives up', 'leaves', 'forges'] as const
/** Source: `codes` of `@tillwright/bank-simulator`. */
const CODES = { right: '1234', wrong: '0000', failing: '1111' } as const

/** A buyer's browser. */
export interface Browsing {
  /** Requests the platform's pages or the bank's; `publishableKey` is for the frame alone. */
  ask: (call: Omit<Call, 'who'>) => Promise<Answer | null>
  pause: (ms: number) => Promise<void>
  dice: Dice
  publishableKey: string
}

/**
 * Performs 3-D Secure like the frame in a buyer's page and the bank's page together. Returns nothing about the outcome,
 * which is on the bank's record.
 */
export async function authenticate(actionToken: string, { ask, pause, dice, publishableKey }: Browsing): Promise<void> {
  const frame = async (what: string, more: object = {}) =>
    jsonOf(
      await ask({
        origin: 'vault',
        method: 'POST',
        path: `/api/vault/v1/threeds/${what}`,
        apiKey: publishableKey,
        body: { actionToken, ...more },
      }),
    )
  await frame('start')
  if (dice.chance(0.1)) return // the page is closed
  const step = await frame('authenticate', { browser: browserData, methodCompletion: 'U' })
  const { creq }: { creq?: string } = Object(step['challenge'])
  const way = dice.pick(ways)
  if (creq !== undefined) {
    if (way === 'leaves') return
    if (way === 'gives up') return void (await frame('cancel'))
    await answerBank(creq, way, { ask, pause, dice })
  }
  for (let looks = 0; looks < 3; looks++) {
    const { outcome } = await frame('result')
    if (outcome !== 'pending') return
  }
}

/** Answers the challenge on the bank's page, and posts its result to the platform. */
async function answerBank(
  creq: string,
  way: Exclude<(typeof ways)[number], 'leaves' | 'gives up'>,
  { ask, pause, dice }: Omit<Browsing, 'publishableKey'>,
): Promise<void> {
  const { acsTransID, threeDSServerTransID, messageVersion } = fromBase64(creq)
  const post = (path: string, form: Readonly<Record<string, string>>) => ask({ method: 'POST', path, form })
  const say = (action: string, code = '') =>
    post('/acs/challenge/answer', { transaction: String(acsTransID), action, code })
  await post('/acs/challenge', { creq })
  await pause(dice.between(500, 12_000))
  if (way === 'slips') await say('confirm', CODES.wrong)
  if (way === 'passes' || way === 'slips') await say('confirm', CODES.right)
  if (way === 'fails') await say('confirm', CODES.failing)
  if (way === 'cancels') await say('cancel')
  // The browser carries the bank's result back, which may be forged.
  const transStatus = way === 'fails' || way === 'cancels' ? 'N' : 'Y'
  const cres = { messageType: 'CRes', messageVersion, threeDSServerTransID, acsTransID, transStatus }
  const path = `/v1/threeds/notify/${String(threeDSServerTransID)}`
  await ask({
    origin: 'vault',
    method: 'POST',
    path,
    form: { cres: Buffer.from(JSON.stringify(cres)).toString('base64url') },
  })
}

function jsonOf(answer: Answer | null): Record<string, unknown> {
  return answer === null || answer.text === '' ? {} : JSON.parse(answer.text)
}

function fromBase64(text: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}
