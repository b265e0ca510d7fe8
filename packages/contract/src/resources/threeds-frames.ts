import { z } from 'zod'
import { ACTION_TOKEN_MAX_CHARS, BROWSER_LANGUAGE_MAX_CHARS, BROWSER_NUMBER_MAX } from '../limits.ts'
import { threedsOutcome, transStatus } from './threeds-authentications.ts'
import { threedsStatus } from './threeds-sessions.ts'

const actionToken = z
  .string()
  .min(1)
  .max(ACTION_TOKEN_MAX_CHARS)
  .meta({
    description: 'The `nextAction.actionToken` of the payment that waits for the buyer.',
    examples: ['WyJhY2NfMFZiVkpsIiwidGhyZWVkc18wVmJWSmwiXQ.q4nJ0cXhR2y8oV5wT1uK7mZ3bL9dF6sA0eG2iN4pH8c'],
  })

const number = z.number().min(-BROWSER_NUMBER_MAX).max(BROWSER_NUMBER_MAX)

/** Browser data as collected by a script; the vault brings it within the limits of EMV 3DS. */
const browser = z
  .object({
    javaEnabled: z.boolean().meta({ description: 'Whether Java is enabled in the browser.', examples: [false] }),
    language: z
      .string()
      .max(BROWSER_LANGUAGE_MAX_CHARS)
      .meta({ description: 'The browser’s language, `navigator.language`.', examples: ['en-GB'] }),
    colorDepth: number.meta({ description: 'The colour depth in bits, `screen.colorDepth`.', examples: [24] }),
    screenHeight: number.meta({ description: 'The height of the screen in pixels.', examples: [1_080] }),
    screenWidth: number.meta({ description: 'The width of the screen in pixels.', examples: [1_920] }),
    timeZoneOffset: number.meta({
      description: 'The offset from UTC in minutes, positive west of it, `getTimezoneOffset()`.',
      examples: [-60],
    }),
    challengeWindowSize: z.enum(['01', '02', '03', '04', '05']).meta({
      description: 'The size of the challenge window: 250x400, 390x400, 500x600 or 600x400 pixels, or full screen.',
      examples: ['05'],
    }),
  })
  .meta({ description: 'Browser data.' })
export type BrowserData = z.output<typeof browser>

/** The body of operations that need only the token. */
export const threedsAction = z.object({ actionToken })

/** The body of `POST /api/vault/v1/threeds/authenticate`. */
export const browserAuthentication = z.object({
  actionToken,
  browser,
  methodCompletion: z.enum(['Y', 'N', 'U']).meta({
    description:
      'Whether the issuer’s method page completed, as seen by the page: Y, N, or U if there was none. The vault’s own record takes precedence.',
    examples: ['U'],
  }),
})
export type BrowserAuthentication = z.output<typeof browserAuthentication>

const status = threedsStatus.meta({ description: 'The status of the session.', examples: ['successful'] })
const letter = transStatus
  .nullable()
  .meta({ description: 'The outcome as EMV 3DS defines it; null if there is none yet.', examples: ['Y'] })

/** The response of `POST /api/vault/v1/threeds/start`. */
export const threedsStart = z
  .object({
    status: status.meta({ examples: ['method_pending'] }),
    method: z
      .object({
        url: z.url().meta({ description: 'The issuer’s method page.', examples: ['https://acs.example/method'] }),
        data: z.string().meta({
          description: 'The value of `threeDSMethodData` to post there from a hidden form: base64url of JSON.',
          examples: ['eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjhhODgwZGMwIn0'],
        }),
      })
      .nullable()
      .meta({ description: 'The page to load before the authentication; null if the issuer has no method page.' }),
  })
  .meta({ id: 'ThreedsStart' })
export type ThreedsStart = z.infer<typeof threedsStart>

/** The response of `POST /api/vault/v1/threeds/authenticate`. */
export const threedsStep = z
  .object({
    status,
    transStatus: letter,
    challenge: z
      .object({
        acsUrl: z.url().meta({ description: 'Where to post `creq`.', examples: ['https://acs.example/challenge'] }),
        creq: z.string().meta({
          description: 'The challenge request, for the form field `creq`: a CReq as base64url JSON.',
          examples: ['eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ'],
        }),
        windowSize: z.enum(['01', '02', '03', '04', '05']).meta({
          description: 'The size of the challenge window (challengeWindowSize).',
          examples: ['05'],
        }),
      })
      .nullable()
      .meta({ description: 'The challenge to show to the cardholder; null if there is none.' }),
  })
  .meta({ id: 'ThreedsStep' })
export type ThreedsStep = z.infer<typeof threedsStep>

/**
 * The response of `POST /api/vault/v1/threeds/result` and `/cancel`. For display only: the shop's server reads the
 * session.
 */
export const threedsResult = z
  .object({
    status,
    transStatus: letter,
    outcome: threedsOutcome.meta({
      description: 'How the authentication ended, in one word.',
      examples: ['authenticated'],
    }),
  })
  .meta({ id: 'ThreedsResult' })
export type ThreedsResult = z.infer<typeof threedsResult>
