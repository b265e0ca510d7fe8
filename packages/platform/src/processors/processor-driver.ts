import type { IncomingHttpHeaders } from 'node:http'
import type { Dispute, Environment, ScaExemption } from '@tillwright/contract'
import type { z } from 'zod'
import type { Services } from '../request-context.ts'
import type { MethodName, PresentedCard } from './authorisation.ts'
import type { Driver, PostAuthorizationOutcome } from './driver.ts'
import type { processorSettings } from './settings.ts'

/**
 * A kind of processor, with everything that the platform, its operators and its documentation need. A new one is a
 * folder with one of these and a line in `registry.ts`.
 */
export interface ProcessorDriver {
  /** The name in rows, commands and URLs: a lower-case letter, then letters, digits and underscores, 40 at most. */
  name: string
  /** The name in texts, such as `Stripe`. */
  title: string
  /**
   * The schema of an operator's settings: `processorSettings`, extended by the driver's own. Each of those is a string
   * and becomes an option of `tillwright processors add`, described by its entry in `settingOptions`.
   */
  settings: z.ZodObject<typeof processorSettings.shape>
  /** The rule for the API secret; `null` where the driver needs none. */
  secret: SecretRule | null
  /**
   * Finds a setting that is wrong for this environment, such as a test account in production; absent if none can be.
   * `problem` continues the name of the setting.
   */
  problemWith?(
    settings: Readonly<Record<string, unknown>>,
    environment: Environment,
  ): { setting: string; problem: string } | null
  capabilities: Capabilities
  /** Help text below the options of `tillwright processors add`; may be empty. */
  help: string
  open(processor: OpenedProcessor): Promise<Driver>
  /** Asks the processor, by a request that changes nothing there, whether it accepts its secret; absent without one. */
  checkSecret?(processor: OpenedProcessor): Promise<SecretCheck>
  /** Absent where the processor sends no events. */
  events?: ProcessorEvents
}

export interface Capabilities {
  /** `false` for a simulator, which production uses for previews only. */
  movesMoney: boolean
  /** The kinds of cards that it charges; empty if it takes other methods only. */
  cards: readonly PresentedCard['kind'][]
  /** The methods that it takes, other than cards. */
  methods: readonly MethodCapability[]
  /** Whether captures, refunds and voids are `pending` at first, and their outcome comes as an event. */
  answersLater: boolean
  /** Whether an authorisation may be captured in parts. */
  severalCaptures: boolean
  /** Whether a part of a capture may be refunded. */
  partialRefunds: boolean
  /** The exemptions from strong customer authentication that it can ask for. */
  exemptions: readonly ScaExemption[]
  /** Whether it checks a card with an amount of 0. */
  zeroAmount: boolean
  /** Whether it marks charges of a card on file for the issuer, and returns the network's transaction id. */
  storedCredentials: boolean
  /** Whether it reports that the issuer has renewed, replaced or closed a card on file: `CardUpdate`. */
  accountUpdater: boolean
  /** Whether it reports disputes. */
  disputes: boolean
  /** Whether it accepts evidence for disputes: `Driver.submitEvidence`. */
  evidence: boolean
  /** Whether it accepts the 3-D Secure result of another provider. */
  authentication: boolean
}

/** A method that a processor takes, and where it takes it. */
export interface MethodCapability {
  method: MethodName
  /** Upper-case ISO 4217 codes; `null` for all. */
  currencies: readonly string[] | null
  /** The countries of its buyers, ISO 3166-1 alpha-2; `null` for all. */
  countries: readonly string[] | null
}

/** The format of a secret. */
export interface SecretRule {
  /** The name of the secret in messages, such as `Stripe's secret key`. */
  called: string
  /** Describes what is wrong with a secret without repeating it; `null` if it is valid. */
  problem(secret: string, environment: Environment): string | null
}

/** What a processor says to its secret. `reason` has the status and codes of its answer, and nothing else of it. */
export type SecretCheck =
  | { outcome: 'accepted'; reason: null }
  /** `no_answer`: none that says anything of the secret. */
  | { outcome: 'refused' | 'no_answer'; reason: string }

/** A processor of an account, as its driver receives it. */
export interface OpenedProcessor {
  processorId: string
  accountId: string
  /** The JSON of its row, already validated against the driver's `settings`, or `null`. */
  config: unknown
  /** `null` where the driver has no rule for one. */
  secret: string | null
  services: Pick<Services, 'db' | 'clock'>
}

/**
 * Events that a processor sends on its own. They are received at `/api/processors/v1/<account>/<processor>/<the
 * driver's name>-events`.
 */
export interface ProcessorEvents {
  /** The secret that events are signed with. */
  secret: SecretRule
  /** How an operator sets it up at the processor. */
  help: string
  /** Reads an event; `null` for one that the secret has not signed, or too long ago. */
  read(sent: SignedRequest, processor: OpenedProcessor & { eventSecret: string }): Promise<ProcessorEvent | null>
}

/** A request as it came in. */
export interface SignedRequest {
  body: Buffer
  headers: IncomingHttpHeaders
}

/** A signed event from a processor. It is only a hint: the current state is always fetched from the processor. */
export interface ProcessorEvent {
  id: string
  type: string
  /**
   * Fetches the current state; `null` if the event does not concern us. Rejects if the processor cannot be asked now.
   */
  report(): Promise<ProcessorReport | null>
}

/**
 * The state at a processor. `attempt`: the attempt has changed, and recovery looks up its outcome.
 * `post_authorization`: the outcome of a request that was `pending`, or was done and is `reversed` now, by our id of it; it
 * is recorded as reported. `reversed_capture`: the money that came with the attempt itself has gone again.
 */
export type ProcessorReport =
  | { about: 'dispute'; dispute: ReportedDispute }
  | { about: 'refunds'; refunds: ReportedRefunds }
  | { about: 'attempt'; attemptId: string }
  | { about: 'post_authorization'; id: string; outcome: PostAuthorizationOutcome }
  | { about: 'reversed_capture'; attemptId: string }

/** A dispute as its processor sees it now. `amount` is in minor units of `currency`. */
export interface ReportedDispute extends Pick<Dispute, 'kind' | 'reason' | 'amount' | 'currency' | 'respondBy'> {
  /** `prevented`: resolved before it became a dispute. */
  status: Dispute['status'] | 'prevented'
  /** What was taken of the amount, where it is lost in part alone. */
  taken?: number
  /** The processor's id for the dispute. */
  reference: string
  /** Our id of the disputed attempt. */
  attemptId: string
}

/** All refunds that the processor has made of an attempt, including those not requested through this API. */
export interface ReportedRefunds {
  attemptId: string
  refunds: readonly { reference: string; amount: number }[]
  /** The references of those that have come to nothing after they were made. */
  reversed: readonly string[]
}
