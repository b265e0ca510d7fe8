import type { IncomingMessage } from 'node:http'
import { byteOperations } from '@tillwright/contract'
import { record } from '../../audit/index.ts'
import { cannotStore, holdBlobs, ownAsset, requireRoomForFiles } from '../../plugins/index.ts'
import type { Caller, Write } from '../../request-context.ts'
import { ApiError, newId } from '../../runtime/index.ts'
import type { Blobs, Received } from '../../storage/index.ts'
import { type App, plainFailure } from './api-app.ts'
import { requirePermission } from './authenticate.ts'
import { type Room, announcedBytes, refuseEncoded, tooLarge } from '../bodies/index.ts'
import { clientAddress } from './client-address.ts'
import { commit, LostRace } from './commit.ts'
import { logFailure, toApiError } from './error-body.ts'
import { type Bucket, quotaHeaders } from './limits.ts'
import type { HttpContext } from './admission.ts'
import type { ServerContext } from './server-context.ts'

const operation = byteOperations.plugins.uploadAsset

/**
 * Takes one file of a deployment as plain bytes under its hash: `PUT /api/plugins/v1/assets/{sha256}`. The bytes go to disk
 * as they arrive. Sent again, or twice at once, it is the same; broken off, it leaves nothing behind.
 */
export function routeAssetUpload(
  app: App,
  { serverContext, blobs }: { serverContext: ServerContext; blobs: Blobs },
): void {
  app.put(operation.path.replace('{sha256}', ':sha256'), async (c) => {
    try {
      return await receive(c, { serverContext, blobs })
    } catch (thrown) {
      const error = toApiError(thrown)
      if (error.status >= 500) logFailure(serverContext.services.log, error)
      return plainFailure(error, serverContext)
    }
  })
}

async function receive(
  c: HttpContext,
  { serverContext, blobs }: { serverContext: ServerContext; blobs: Blobs },
): Promise<Response> {
  const { incoming } = c.env
  const { caller, bucket, address } = await admit(incoming, serverContext)
  const sha256 = c.req.param('sha256') ?? ''
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw notThatHash('a SHA-256 in 64 lower-case hexadecimal digits')
  const { services } = serverContext
  const storer = { accountId: caller.accountId, nowMs: services.clock.now(), services }
  // Bytes without an announced length may be as many as there can be: what is on disk before it is refused stays for a day.
  await requireRoomForFiles([{ sha256, size: announcedBytes(incoming) || operation.limit }], { caller, services })
  const held = await holdBlobs([sha256], storer)
  const room = serverContext.bodies.enter(`account:${caller.accountId}`)
  const size = await store(sha256, incoming, { blobs, room })
    .then(sizeOf)
    .finally(() => room.leave())
  const requestId = newId('req', storer.nowMs, services.randomness)
  const recorded = record(
    {
      accountId: caller.accountId,
      actor: caller.actor,
      operation: 'plugins.uploadAsset',
      resource: { type: 'asset', id: sha256 },
      address,
      userAgent: incoming.headers['user-agent'],
      requestId,
      status: 200,
      after: { sha256, size },
    },
    { nowMs: storer.nowMs, newId: (prefix) => newId(prefix, storer.nowMs, services.randomness), services },
  )
  await own([...ownAsset({ sha256, size }, held, storer), ...recorded], services)
  return c.json({ sha256, size }, 200, {
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...quotaHeaders(bucket),
  })
}

/**
 * Lets a request of bytes in as any other operation is: over HTTPS, with a key that may, within the limits. Nothing of the
 * body has been read before. (A hash of digits may look like a card number, so addresses are not searched for one.)
 *
 * @throws {ApiError}
 */
async function admit(
  incoming: IncomingMessage,
  serverContext: ServerContext,
): Promise<{ caller: Caller; bucket: Bucket; address: string }> {
  const address = clientAddress(incoming, serverContext.trustedProxies) // throws for what has not come over HTTPS
  const caller = await callerOf(incoming, { serverContext, address })
  const bucket = await serverContext.takeUploadToken(caller)
  if (!bucket.quota.allowed) throw tooFast(bucket.quota.retryAfterS)
  requirePermission(operation, caller, serverContext)
  refuseEncoded(incoming)
  if (Number(incoming.headers['content-length'] ?? 0) > operation.limit) throw tooLarge(operation.limit)
  return { caller, bucket, address }
}

async function callerOf(
  incoming: IncomingMessage,
  { serverContext, address }: { serverContext: ServerContext; address: string },
): Promise<Caller> {
  const { authorization, origin } = incoming.headers
  try {
    return await serverContext.authenticate(operation, { authorization, origin, url: incoming.url ?? '' })
  } catch (error) {
    const { quota } = await serverContext.takeAnonymousToken(address)
    throw quota.allowed ? error : tooFast(quota.retryAfterS)
  }
}

/** The bytes are gone by: a blob that was cleared away meanwhile has to be sent again. */
async function own(writes: readonly Write[], services: ServerContext['services']): Promise<void> {
  try {
    await commit(writes, services)
  } catch (error) {
    throw error instanceof LostRace ? cannotStore(error) : error
  }
}

/** A client that disconnects in the middle of a file gets no answer. */
async function store(
  sha256: string,
  incoming: IncomingMessage,
  { blobs, room }: { blobs: Blobs; room: Room },
): Promise<Received> {
  room.takeDisk(announcedBytes(incoming))
  try {
    return await blobs.receive(sha256, counted(incoming, room), operation.limit)
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (!incoming.complete)
      throw new ApiError('parameter_invalid', 'The connection was closed before the file was whole.')
    throw cannotStore(error)
  }
}

/** The bytes as they come. Those beyond the announced size are taken from the budget with each chunk. */
async function* counted(incoming: IncomingMessage, room: Room): AsyncGenerator<Uint8Array> {
  const announced = announcedBytes(incoming)
  let size = 0
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    room.takeDisk(Math.max(0, size + chunk.length - Math.max(size, announced)))
    size += chunk.length
    yield chunk
  }
}

function sizeOf(received: Received): number {
  switch (received.outcome) {
    case 'stored':
      return received.size
    case 'other_hash':
      throw notThatHash('the SHA-256 of the bytes; these have another one')
    case 'too_many':
      throw tooLarge(operation.limit)
  }
}

function notThatHash(rule: string): ApiError {
  return new ApiError('parameter_invalid', `The address must end with ${rule}.`, { param: 'sha256' })
}

function tooFast(retryAfterS: number): ApiError {
  return new ApiError('rate_limit_exceeded', `Too many requests; try again in ${retryAfterS} s.`, {
    headers: { 'Retry-After': String(retryAfterS) },
  })
}
