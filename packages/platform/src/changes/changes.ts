import { METADATA_MAX_KEYS } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import { isDeepStrictEqual } from 'node:util'
import type { RequestContext, Write } from '../request-context.ts'
import { ApiError, revisionOfTag } from '../runtime/index.ts'

/** A resource that can be changed, as it is answered. */
export interface Revised {
  id: string
  revision: number
  updatedAt: string
}

/** A request to change a resource. */
export interface ChangeRequest<Resource extends Revised> {
  /** The kind of resource, as the API reference calls it: `product`. */
  what: string
  /** The resource as it is. */
  current: Resource
  /** Changed fields that the resource does not show, such as secrets. */
  unshown?: readonly string[]
  /** The body of the request: fields of the resource, and `revision`. */
  sent: { readonly revision?: number | undefined } & { readonly [Field in keyof Resource]?: unknown }
}

/** A resource after a change. */
export interface Changed<Resource extends Revised> {
  resource: Resource
  /** The names of the fields that differ. */
  fields: string[]
}

/**
 * Applies a request's JSON Merge Patch to a resource. A field of the resource itself stays there when null clears it;
 * inside a field, null removes a name.
 *
 * @returns The resource with its next revision, or `null` if the change changes nothing.
 * @throws {ApiError} `parameter_missing` or `parameter_invalid` if the request names no revision, or two;
 *   `revision_conflict` with the current resource if it names an old one.
 */
export function changed<Resource extends Revised>(
  { what, current, sent, unshown = [] }: ChangeRequest<Resource>,
  context: Pick<RequestContext, 'ifMatch' | 'nowMs'>,
): Changed<Resource> | null {
  const { revision, ...patch } = sent
  requireRevision(what, current, sentRevision(what, revision, context.ifMatch))
  const fields = [...unshown]
  const merged = new Map<string, unknown>(Object.entries(current))
  for (const [field, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const next: unknown = isObject(value) ? mergePatch(merged.get(field), value) : value
    if (isDeepStrictEqual(next, merged.get(field) ?? null)) continue
    merged.set(field, next)
    fields.push(field)
  }
  if (fields.length === 0) return null
  const updatedAt = new Date(context.nowMs).toISOString()
  // The operation's schema has made each field of the patch one that the resource can have.
  const resource = { ...Object.fromEntries(merged), revision: current.revision + 1, updatedAt } as Resource
  return { resource, fields }
}

/** Archives a resource, or takes it back; otherwise as `changed`. */
export function archiving<Resource extends Revised & { archived: boolean }>(
  archived: boolean,
  { sent, ...request }: Omit<ChangeRequest<Resource>, 'sent'> & { sent: { revision?: number | undefined } },
  context: Pick<RequestContext, 'ifMatch' | 'nowMs'>,
): Changed<Resource> | null {
  return changed({ ...request, sent: { ...sent, archived } }, context)
}

/**
 * The statements that replace columns of a changed resource's row. They have to come first in their transaction: if
 * another request was faster, the handler runs again and finds the new revision.
 *
 * @param table A table with `account_id`, `id` and `revision`.
 * @param set The columns to replace.
 */
export function updateRow(
  table: string,
  set: Readonly<Record<string, string | number | null>>,
  { accountId, resource: { id, revision } }: { accountId: string; resource: Revised },
): [claim: Write, replace: Write] {
  const columns = Object.keys(set).map((column) => `${column} = ?`)
  return [
    {
      sql: `UPDATE ${table} SET revision = revision + 1 WHERE account_id = ? AND id = ? AND revision = ?`,
      params: [accountId, id, revision - 1],
      expect: 1,
    },
    {
      sql: `UPDATE ${table} SET ${columns.join(', ')} WHERE account_id = ? AND id = ?`,
      params: [...Object.values(set), accountId, id],
    },
  ]
}

/**
 * Refuses metadata that has too many keys after a change.
 *
 * @throws {ApiError} `parameter_invalid`.
 */
export function requireMetadata(metadata: Readonly<Record<string, string>>): void {
  const { length } = Object.keys(metadata)
  if (length <= METADATA_MAX_KEYS) return
  const message = `metadata would have ${length} keys, and may have ${METADATA_MAX_KEYS}; remove some by null.`
  throw new ApiError('parameter_invalid', message, { param: 'metadata' })
}

/** A JSON Merge Patch applied: `null` takes a name away, objects are merged name by name. Source: RFC 7396, section 2. */
export function mergePatch(target: unknown, patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(merged.get(name), value) : value)
  }
  return Object.fromEntries(merged)
}

function sentRevision(what: string, inBody: number | undefined, ifMatch: string | undefined): number {
  const inHeader = ifMatch === undefined ? undefined : revisionIn(ifMatch)
  if (inBody !== undefined && inHeader !== undefined && inBody !== inHeader) {
    const message = `revision is ${inBody} and If-Match "${inHeader}"; send one of them, or the same in both.`
    throw new ApiError('parameter_invalid', message, { param: 'revision' })
  }
  const revision = inBody ?? inHeader
  if (revision !== undefined) return revision
  const message = `revision is required: read the ${what}, and send the revision that it has in the body or as If-Match: "<revision>".`
  throw new ApiError('parameter_missing', message, { param: 'revision' })
}

function revisionIn(ifMatch: string): number {
  const revision = revisionOfTag(ifMatch)
  if (revision !== null) return revision
  const message =
    'If-Match must be the ETag of the answer to a read, or the revision in double quotes, such as "3"; other entity tags and * are not accepted.'
  throw new ApiError('parameter_invalid', message, { param: 'If-Match' })
}

function requireRevision(what: string, current: Revised, expectedRevision: number): void {
  const { id, revision: currentRevision } = current
  if (expectedRevision === currentRevision) return
  const message = `The ${what} '${id}' is at revision ${currentRevision}, not ${expectedRevision}: it has been changed since; compare it with your change, and send that with revision ${currentRevision}.`
  throw new ApiError('revision_conflict', message, {
    param: 'revision',
    conflict: { expectedRevision, currentRevision, current: { ...current } },
  })
}
