import { hash } from 'node:crypto'
import {
  anonymousLimit,
  type Audience,
  docsLimit,
  pluginPageLimit,
  type RateLimit,
  recoveryCodeLimit,
  signInLimit,
  uploadLimit,
} from '@tillwright/contract'
import { type Quota, rateLimiter } from '../../accounts/index.ts'
import type { ConsolePlace, OpenIdProvider } from '../../members/index.ts'
import type { FailedRequestLog } from '../../requests/index.ts'
import type { Caller, Services } from '../../request-context.ts'
import { type Authenticate, authenticator } from './authenticate.ts'
import type { BodyBudget, RequestReader } from '../bodies/index.ts'
import type { TrustedProxies } from './client-address.ts'
import { type EventStreams, eventStreams } from './event-streams.ts'
import { idempotencyRunner } from './idempotency.ts'
import { type Bucket, frameLimits, type FrameLimits, pageLimits, takeOfAddress } from './limits.ts'

/** State shared by all operations of a process. */
export interface ServerContext {
  services: Services
  /** One line per request. Its fields are fixed and hold no secrets, so they are not searched for any. */
  requestLog: Services['log']
  authenticate: Authenticate
  idempotency: ReturnType<typeof idempotencyRunner>
  requests: RequestReader
  /** The budget of memory and disk for the bodies of all requests. */
  bodies: BodyBudget
  takeToken: (caller: Caller, request: { address: string; audience: Audience }) => Promise<Bucket>
  /** For the files of deployments, of which there are many at a time: they spend a bucket of their own. */
  takeUploadToken: (caller: Caller) => Promise<Bucket>
  /** For requests of an address to plugins' hosts. */
  takePageToken: (address: string) => Promise<Bucket>
  /** For requests of an address to the reference. */
  takeDocsToken: (address: string) => Promise<Bucket>
  /** For what browsers do on the vault's origin. */
  frameLimits: FrameLimits
  /** For a request without a valid key: guessing keys costs the guesser's own bucket, never an account's. */
  takeAnonymousToken: (address: string) => Promise<Bucket>
  /** For a step of a sign-in; `email` for a recovery code that is tried. */
  takeSignInToken: (address: string, email?: string) => Promise<Quota>
  consolePlace: ConsolePlace
  /** `null` when members sign in with passkeys alone. */
  openId: OpenIdProvider | null
  trustedProxies: TrustedProxies
  /** The reference page: error bodies point at its anchors. */
  docsUrl: string
  /** Tells the workers, and who follows the account, that there may be something new. Costs next to nothing. */
  wake: (accountId: string) => void
  eventStreams: EventStreams
  failedRequests: Pick<FailedRequestLog, 'note'>
  /** Aborted when the platform stops. */
  stopping: AbortSignal
  /** Whether an account is that of the platform's operator. */
  isOperator: (accountId: string) => boolean
  /** How long a client waits for an answer, in milliseconds: what takes longer goes on behind one that says so. */
  answerMs: number
  /** Work that goes on behind answers that were given. */
  unfinished: Set<Promise<unknown>>
}

/** Settings that differ between deployments. */
export interface ServingOptions {
  rateLimits: boolean
  trustedProxies: TrustedProxies
  docsUrl: string
  consolePlace: ConsolePlace
  openId: OpenIdProvider | null
  requests: RequestReader
  bodies: BodyBudget
  wake: (accountId: string) => void
  stopping: AbortSignal
  isOperator: (accountId: string) => boolean
  answerMs: number
  failedRequests: Pick<FailedRequestLog, 'note'>
  /** Notes each use of a key. Costs next to nothing. */
  noteKeyUse: (caller: Caller, atMs: number) => void
}

/** Puts together what a request meets on its way. */
export function serverContext(services: Services, options: ServingOptions): ServerContext {
  const limiter = options.rateLimits ? rateLimiter(services) : unlimited
  const frames = frameLimits(limiter)
  const pages = pageLimits(limiter)
  const unfinished = new Set<Promise<unknown>>()
  return {
    ...options,
    unfinished,
    eventStreams: eventStreams(),
    services,
    requestLog: services.log.child({}, { redact: [] }),
    authenticate: authenticator(services, {
      noteUse: options.noteKeyUse,
      referenceOrigin: services.environment === 'local' ? new URL(options.docsUrl).origin : null,
      consolePlace: options.consolePlace,
    }),
    idempotency: idempotencyRunner(services, unfinished),
    frameLimits: frames,
    takeToken: async (caller, { address, audience }) => {
      const { kind, accountId, keyId, plan, rateLimit } = caller
      if (kind === 'member') {
        return { policy: 'member', limit: rateLimit, quota: await limiter.take(`member:${keyId}`, rateLimit) }
      }
      if (kind === 'session') return pages.takeRequest(caller, address)
      if (kind === 'publishable' && audience === 'page') return pages.takeBeginning(address)
      if (kind === 'publishable') return frames.takeRequest(address)
      return { policy: plan, limit: rateLimit, quota: await limiter.take(`account:${accountId}`, rateLimit) }
    },
    takeUploadToken: async ({ accountId }) => {
      const quota = await limiter.take(`uploads:${accountId}`, uploadLimit)
      return { policy: 'uploads', limit: uploadLimit, quota }
    },
    takePageToken: async (address) => {
      return {
        policy: 'pages',
        ...(await takeOfAddress(limiter, { name: 'plugin-pages', address, limit: pluginPageLimit })),
      }
    },
    takeDocsToken: async (address) => {
      return { policy: 'docs', ...(await takeOfAddress(limiter, { name: 'docs', address, limit: docsLimit })) }
    },
    takeSignInToken: async (address, email) => {
      const ofSteps = await takeOfAddress(limiter, { name: 'sign-in', address, limit: signInLimit })
      if (email === undefined || !ofSteps.quota.allowed) return ofSteps.quota
      const ofCodes = await takeOfAddress(limiter, { name: 'recovery', address, limit: recoveryCodeLimit })
      if (!ofCodes.quota.allowed) return ofCodes.quota
      return limiter.take(`recovery-of:${hash('sha256', email.trim().toLowerCase())}`, recoveryCodeLimit)
    },
    takeAnonymousToken: async (address) => {
      return {
        policy: 'anonymous',
        ...(await takeOfAddress(limiter, { name: 'address', address, limit: anonymousLimit })),
      }
    },
  }
}

/** Where limits are off, every bucket is always full. */
const unlimited = {
  take: async (_subject: string, { burst }: RateLimit): Promise<Quota> => ({
    allowed: true,
    left: burst,
    nextTokenS: 0,
    retryAfterS: 0,
  }),
}
