import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRoute } from 'preact-iso'
import { ApiFailure, type ListEntry } from '../../../api/client.ts'
import { useRead } from '../../../api/query.ts'
import { Copy, Time } from '../../../design/controls.tsx'
import { Facts, Section } from '../../../design/section.tsx'
import { Bone, Empty, Failure } from '../../../design/states.tsx'
import { StoreLink } from '../../../objects/names.tsx'
import { ApiCall } from '../../../shell/api-call.tsx'
import { Page } from '../../../shell/page.tsx'
import { useMay } from '../../../shell/session.ts'
import { Status } from './requests.tsx'
import { text } from './text.ts'

type FailedRequest = ResponseOf<Contract['requests']['get']>
type AuditEntry = ListEntry<'audit.list'>

/** Page of one request: how it failed, and the changes that it made. */
export function Request() {
  const { id = '' } = useRoute().params
  const failed = useRead('requests.get', { failedRequestId: id })
  const changes = useRead('audit.list', useMay()('audit.list') ? { requestId: id, order: 'asc' } : null)
  const entries = changes.data?.data ?? []
  const isUnknown = failed.error instanceof ApiFailure && failed.error.status === 404
  const isWaiting = failed.isPending || (changes.isPending && changes.fetchStatus !== 'idle')
  return (
    <Page
      title={failed.data?.code ?? text('request')}
      note={
        <>
          {failed.data !== undefined && <Status of={failed.data.status} />} <Copy value={id} />
        </>
      }
    >
      <div class="stack">
        {isWaiting && <Bone />}
        {failed.error !== null && !isUnknown && <Failure failure={failed.error} retry={() => failed.refetch()} />}
        {failed.data !== undefined && <HowItFailed request={failed.data} />}
        {!isWaiting && isUnknown && entries.length === 0 && <NothingKept />}
        {!isWaiting && isUnknown && entries.length > 0 && <p>{text('succeeded')}</p>}
        {entries.length > 0 && <WhatItChanged requestId={id} entries={entries} />}
        <ApiCall operation="requests.get" input={{ failedRequestId: id }} />
      </div>
    </Page>
  )
}

function HowItFailed({ request }: { request: FailedRequest }) {
  return (
    <>
      <Section
        title={text('error')}
        actions={
          <a class="button" href={new URL(request.docUrl).pathname + new URL(request.docUrl).hash} target="_blank">
            {text('explained')}
          </a>
        }
      >
        <p class="message">{request.message}</p>
        <Facts
          of={[
            [text('field'), request.param && <code>{request.param}</code>],
            [text('leftOut'), request.leftOut === 0 ? null : text('leftOutCount', { count: request.leftOut })],
          ]}
        />
      </Section>
      <Section title={text('request')}>
        <Facts of={factsOf(request)} />
      </Section>
    </>
  )
}

function factsOf(request: FailedRequest) {
  const { operation, method, path, pathParams, storeId, createdAt, durationMs, idempotencyKeyHash } = request
  const ids = Object.entries(pathParams)
    .filter(([name]) => name !== 'storeId')
    .map(([name, id]) => [name, <PathId name={name} id={id} />] as const)
  return [
    [
      text('path'),
      <code>
        {method} {path}
      </code>,
    ],
    ...ids,
    [text('operation'), <code>{operation}</code>],
    [text('by'), <By request={request} />],
    [text('store'), storeId && <StoreLink id={storeId} />],
    [text('time'), <Time at={createdAt} />],
    [text('duration'), text('ms', { ms: durationMs })],
    [text('keyHash'), idempotencyKeyHash && <Copy value={idempotencyKeyHash} />],
  ] as const
}

/** Where the console shows what an id in a path is of. */
const pagesOf: Readonly<Record<string, string>> = {
  paymentId: 'payments',
  orderId: 'orders',
  customerId: 'customers',
  subscriptionId: 'subscriptions',
  disputeId: 'disputes',
  refundRequestId: 'refund-requests',
  productId: 'products',
  promotionId: 'promotions',
  paymentFlowId: 'flows',
  processorId: 'processors',
  endpointId: 'webhooks',
  keyId: 'keys',
}

function PathId({ name, id }: { name: string; id: string }) {
  const page = pagesOf[name]
  return page === undefined ? <Copy value={id} /> : <a href={`/console/${page}/${id}`}>{id}</a>
}

function By({ request: { actor } }: { request: FailedRequest }) {
  const may = useMay()
  const shown = actor.name ?? actor.id
  const kind = text(`actor.${actor.kind}`)
  if (actor.kind === 'key' && may('apiKeys.get'))
    return (
      <>
        {kind}: <a href={`/console/keys/${actor.id}`}>{shown}</a>
      </>
    )
  return (
    <>
      {kind}: {shown}
    </>
  )
}

function WhatItChanged({ requestId, entries }: { requestId: string; entries: readonly AuditEntry[] }) {
  return (
    <Section
      title={text('changed')}
      actions={
        <a class="button" href={`/console/audit?requestId=${requestId}`}>
          {text('toAudit')}
        </a>
      }
    >
      <ul class="changed">
        {entries.map(({ id, operation, resourceType, resourceId, createdAt }) => (
          <li key={id}>
            <code>{operation}</code> <span>{[resourceType, resourceId].filter(Boolean).join(' ')}</span>
            <Time at={createdAt} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Why there may be nothing of a request, and what its caller can look at. */
function NothingKept() {
  return (
    <Empty title={text('nothing')}>
      <p>{text('nothingHint')}</p>
      <ul>
        <li>{text('nothing.read')}</li>
        <li>{text('nothing.key')}</li>
        <li>{text('nothing.old')}</li>
      </ul>
    </Empty>
  )
}
