import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { ArchiveButton, type Revision, SaveDialog, useTyped } from '../../forms/save.tsx'
import { text as forms } from '../../forms/text.ts'
import { StoreLink } from '../../objects/names.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { PromotionFields } from './fields.tsx'
import { PromotionStatus, usesOf } from './promotions.tsx'
import { text } from './text.ts'
import { readPromotion, typedPromotion } from './typed.ts'
import { describePromotion, discountOf, type PromotionDetails } from './words.ts'

/** One promotion: what it does and when, and what can be changed of it. */
export function Promotion() {
  const { params, query } = useRoute()
  const { id = '' } = params
  const storeId = useStoreOf(id, query['storeId'])
  const read = useRead('promotions.getById', storeId === null ? null : { id, storeId })
  return <LoadedPage read={read}>{(promotion) => <PromotionPage promotion={promotion} />}</LoadedPage>
}

/** The store of a promotion, which the API reads it by; `null` until it is known. */
function useStoreOf(id: string, given: string | undefined): string | null {
  const live = useRead('promotions.list', given === undefined ? { q: id, limit: 1 } : null)
  const isArchived = live.data?.data.length === 0
  const archived = useRead('promotions.list', isArchived ? { q: id, archived: true, limit: 1 } : null)
  const found = (live.data?.data[0] ?? archived.data?.data[0])?.storeId
  // Where there is none, the API says so.
  return given ?? found ?? (archived.data === undefined ? null : 'none')
}

function PromotionPage({ promotion }: { promotion: PromotionDetails }) {
  const { id, storeId, name, createdAt, updatedAt } = promotion
  return (
    <Page
      title={name}
      note={
        <>
          <PromotionStatus of={promotion} /> <Copy value={id} />
        </>
      }
      actions={<Actions promotion={promotion} />}
    >
      <div class="stack">
        <Section title={text('facts')}>
          <Facts
            of={[
              ...describePromotion(promotion).map(([label, value]) => [label, value === '' ? null : value] as const),
              [text('uses'), usesOf(promotion)],
              [forms('store'), <StoreLink key="store" id={storeId} />],
              [text('created'), <Time key="created" at={createdAt} />],
              [text('changed'), <Time key="changed" at={updatedAt} />],
            ]}
          />
        </Section>
        <ApiCall operation="promotions.getById" input={{ id, storeId }} />
      </div>
    </Page>
  )
}

const affects = ['promotions.']

function Actions({ promotion }: { promotion: PromotionDetails }) {
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const { id: promotionId, storeId, code } = promotion
  const query = new URLSearchParams({ storeId, ...(code !== null && { code }) })
  return (
    <>
      {may('promotions.archive') && (
        <ArchiveButton
          of={promotion}
          effect={{ archive: text('archive.effect'), unarchive: text('unarchive.effect') }}
          archive={(input, options) => api.promotions.archive({ promotionId, ...input }, options)}
          unarchive={(input, options) => api.promotions.unarchive({ promotionId, ...input }, options)}
          describe={describePromotion}
          affects={affects}
        />
      )}
      {may('orders.quote') && (
        <a class="button" href={`/console/promotions/try?${query}`}>
          {text('try')}
        </a>
      )}
      {may('promotions.update') && <Button onClick={() => setOpen(true)}>{forms('edit')}</Button>}
      {isOpen && <EditPromotion promotion={promotion} onClose={() => setOpen(false)} />}
    </>
  )
}

function EditPromotion({ promotion, onClose }: { promotion: PromotionDetails; onClose: () => void }) {
  const { base, typed, setTyped, onTake } = useTyped(promotion, typedPromotion)
  const data = readPromotion(typed)
  const change = useChange(async ({ revision }: Revision<PromotionDetails>, options) => {
    if (data !== null) await api.promotions.update({ id: promotion.id, data, revision }, options)
  }, affects)
  // Requests and responses have the same fields, apart from those with defaults.
  const mine = { ...base, ...data } as PromotionDetails
  const isOther = typedPromotion(base).kind === 'asItIs'
  return (
    <SaveDialog
      effect={text('edit.effect')}
      change={change}
      base={base}
      mine={mine}
      describe={describePromotion}
      disabled={data === null}
      onClose={onClose}
      onTake={onTake}
    >
      <PromotionFields
        value={typed}
        onValue={setTyped}
        storeId={base.storeId}
        {...(isOther && { other: discountOf(base) })}
      />
    </SaveDialog>
  )
}
