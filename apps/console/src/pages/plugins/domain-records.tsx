import type { Contract, ResponseOf } from '@tillwright/contract'
import { type Read, useRead } from '../../api/query.ts'
import { Badge, Button, Copy, type Tone } from '../../design/controls.tsx'
import { Failure } from '../../design/states.tsx'
import { text } from './text.ts'

type DomainCheck = ResponseOf<Contract['pluginManagement']['checkDomain']>
type DomainRecord = DomainCheck['records'][number]

/** Asks name servers about a host name; `null` as long as there is none to ask about. */
export function useDomainCheck(place: { storeId: string; hostname: string } | null): Read<DomainCheck> | null {
  const read = useRead('pluginManagement.checkDomain', place)
  return place === null ? null : read
}

const tones: Readonly<Record<DomainRecord['status'], Tone>> = {
  found: 'good',
  missing: 'wait',
  different: 'wait',
  unknown: 'wait',
  not_needed: 'calm',
}

/** The records that a domain needs, what was found, and what to do. */
export function DomainRecords({ check }: { check: Read<DomainCheck> | null }) {
  if (check === null) return null
  if (check.error !== null) return <Failure failure={check.error} retry={() => check.refetch()} />
  const { data } = check
  return (
    <div class="records" aria-busy={data === undefined || check.isFetching}>
      {data !== undefined && <Answer check={data} />}
      <Button isBusy={check.isFetching} onClick={() => void check.refetch()}>
        {text(check.isFetching ? 'checking' : 'checkAgain')}
      </Button>
    </div>
  )
}

function Answer({ check: { owner, ready, records } }: { check: DomainCheck }) {
  if (owner === 'another') return <p class="remark">{text('ownedByAnother')}</p>
  return (
    <>
      {records.map((record) => (
        <RecordWords key={record.purpose} record={record} />
      ))}
      <p class={ready ? 'hint' : 'remark'} role="status">
        {text(ready ? 'domainReady' : 'domainNotReady')}
      </p>
    </>
  )
}

function RecordWords({ record: { purpose, type, name, value, found, status } }: { record: DomainRecord }) {
  return (
    <section>
      <p class="row-head">
        <strong>{text(`record.${purpose}`)}</strong>
        <Badge tone={tones[status]}>{text(`record.${status}`)}</Badge>
      </p>
      <dl class="record">
        <dt>{text('recordType')}</dt>
        <dd>{type}</dd>
        <dt>{text('recordName')}</dt>
        <dd>
          <Copy value={name} />
        </dd>
        <dt>{text('recordValue')}</dt>
        <dd>
          <Copy value={value} />
        </dd>
        {found.length > 0 && (
          <>
            <dt>{text('recordFound')}</dt>
            <dd>{found.join(', ')}</dd>
          </>
        )}
      </dl>
      {status !== 'found' && <p class="hint">{text(`todo.${purpose}.${status}`)}</p>}
    </section>
  )
}
