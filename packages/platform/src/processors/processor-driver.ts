import type { IncomingHttpHeaders } from 'node:http'
import type { Dispute, Environment, ScaExemption } from '@tillwright/contract'
import type { z } from 'zod'
import type { Services } from '../request-context.ts'
import type { MethodName, PresentedCard } from './authorisation.ts'
import type { Driver, PostAuthorizationOutcome } from './driver.ts'
import type { processorSettings } from './settings.ts'

/**
 * A kind of processor: all that the platform, its operators and its documents have to know of it. A new one is a folder
 * with one of these and a line in `registry.ts`.
 */
export interface ProcessorDriver {
  /** As rows, commands and addresses have it: a lower-case letter, then letters, digits and underscores, 40 at most. */
  name: string
  /** As texts have it, such as `Stripe`. */
  title: string
  /**
   * The schema of an operator's settings: `processorSettings`, extended by the driver's own. Each of those is a string
   * and becomes an option of `tillwright processors add`, described by its entry in `settingOptions`.
   */
  settings: z.ZodObject<typeof processorSettings.shape>
  /** The rule for the API secret; `null` where the driver needs none. */
  secret: SecretRule | null
  /**
   * What is wrong with settings for where the platform runs, such as test accounts in production; absent where nothing
   * can be. `problem` continues the name of the setting.
   */
  problemWith?(
    settings: Readonly<Record<string, unknown>>,
    environment: Environment,
  ): { setting: string; problem: string } | null
  capabilities: Capabilities
  /** Help text below the options of `tillwright processors add`; may be empty. */
  help: string
  open(processor: OpenedProcessor): Promise<Driver>
  /** Absent where the processor sends no events. */
  events?: ProcessorEvents
}

export interface Capabilities {
  /** `false` for one that only acts as a processor: production keeps it away from payments that are not previews. */
  movesMoney: boolean
  /** The kinds of cards that it charges; none for one that takes other methods alone. */
  cards: readonly PresentedCard['kind'][]
  /** The methods besides cards that it takes. */
  methods: readonly MethodCapability[]
  /** Whether captures, refunds and voids are `pending` first, and their outcome comes as an event. */
  answersLater: boolean
  /** Whether an authorisation may be captured in parts. */
  severalCaptures: boolean
  /** Whether a part of a capture may be refunded. */
  partialRefunds: boolean
  /** The exemptions from strong customer authentication that it can ask for. */
  exemptions: readonly ScaExemption[]
  /** Whether it checks a card with an amount of 0. */
  zeroAmount: boolean
  /** Whether it tells issuers that a card is on file, and answers the network's transaction id. */
  storedCredentials: boolean
  /** Whether it tells when the issuer of a card on file has renewed it: `CardUpdate`. */
  accountUpdater: boolean
  /** Whether it reports disputes. */
  disputes: boolean
  /** Whether it takes evidence for them: `Driver.submitEvidence`. */
  evidence: boolean
  /** Whether it takes the result of an authentication made elsewhere. */
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
  /** How messages name the secret, such as `Stripe's secret key`. */
  called: string
  /** Describes what is wrong with a secret without repeating it; `null` if it is valid. */
  problem(secret: string, environment: Environment): string | null
}

/** A processor of an account, as its driver receives it. */
export interface OpenedProcessor {
  processorId: string
  /** Whose it is. */
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
  /** Asks what has come of it; `null` for what is nothing to us. Rejects when the processor cannot be asked now. */
  report(): Promise<ProcessorReport | null>
}

/**
 * How things stand at a processor. An `attempt` has moved there, to where is asked by who recovers its payment. A
 * `post_authorization` was answered that was `pending`, by our id of it: that outcome is taken as it is told.
 */
export type ProcessorReport =
  | { about: 'dispute'; dispute: ReportedDispute }
  | { about: 'refunds'; refunds: ReportedRefunds }
  | { about: 'attempt'; attemptId: string }
  | { about: 'post_authorization'; id: string; outcome: PostAuthorizationOutcome }

/** A dispute as its processor sees it now. */
export interface ReportedDispute extends Pick<Dispute, 'kind' | 'reason' | 'amount' | 'respondBy'> {
  /** `prevented` is one that was settled before it became a dispute. */
  status: Dispute['status'] | 'prevented'
  /** The processor's id for the dispute. */
  reference: string
  /** The attempt whose money it is about, in our words. */
  attemptId: string
}

/** All refunds that the processor has made of an attempt, including those not requested through this API. */
export interface ReportedRefunds {
  attemptId: string
  refunds: readonly { reference: string; amount: number }[]
}
