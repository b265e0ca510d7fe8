import type { Contract, DisputeEvidence, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Input, Time } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { useUnsaved } from '../../design/unsaved.ts'
import { Decision } from '../../forms/decision.tsx'
import { TextArea } from '../../forms/fields.tsx'
import { useMay } from '../../shell/session.ts'
import './disputes.css'
import { text } from './text.ts'

type Dispute = ResponseOf<Contract['disputes']['get']>
type Field = keyof DisputeEvidence
type Draft = Readonly<Partial<Record<Field, string>>>

/** All fields of evidence, by what they are about. `long`: takes several lines. */
const groups = {
  sold: { productDescription: 'long', serviceDate: 'short', accessActivityLog: 'long' },
  buyer: { customerName: 'short', customerEmail: 'short', customerPurchaseIp: 'short', billingAddress: 'long' },
  delivery: {
    shippingCarrier: 'short',
    shippingTrackingNumber: 'short',
    shippingDate: 'short',
    shippingAddress: 'long',
  },
  policies: {
    refundPolicyDisclosure: 'long',
    refundRefusalExplanation: 'long',
    cancellationPolicyDisclosure: 'long',
    cancellationRebuttal: 'long',
  },
  rest: { uncategorizedText: 'long' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Field, 'long' | 'short'>>>>>

/**
 * Evidence that was typed and not sent, by dispute: it is there again when its page is. It is kept in the memory of the
 * page alone, because it names buyers.
 */
const drafts = new Map<string, Draft>()

/** The answer to an open dispute: when it was sent, and the form to send it. */
export function Evidence({ dispute }: { dispute: Dispute }) {
  const { id, status, respondBy, evidenceSubmittedAt } = dispute
  const known = useKnown(dispute)
  const [draft, setDraft] = useState(() => drafts.get(id) ?? null)
  const isOver = respondBy !== null && Date.parse(respondBy) <= Date.now()
  const isOffered = useMay()('disputes.submitEvidence') && status === 'open' && !isOver
  if (!isOffered && evidenceSubmittedAt === null) return null
  const keep = (next: Draft) => {
    drafts.set(id, next)
    setDraft(next)
  }
  const end = () => {
    drafts.delete(id)
    setDraft(null)
  }
  return (
    <Section title={text('evidence')}>
      <div class="stack">
        {evidenceSubmittedAt !== null && (
          <p class="remark">
            {text('evidence.sent')} <Time at={evidenceSubmittedAt} />
          </p>
        )}
        {isOffered && draft === null && (
          <>
            <p>{text('evidence.hint')}</p>
            <div class="actions">
              <Button kind={evidenceSubmittedAt === null ? 'main' : 'plain'} onClick={() => keep(known)}>
                {text(evidenceSubmittedAt === null ? 'evidence.answer' : 'evidence.further')}
              </Button>
            </div>
          </>
        )}
        {isOffered && draft !== null && (
          <Form
            disputeId={id}
            draft={draft}
            isTyped={JSON.stringify(draft) !== JSON.stringify(known)}
            onChange={keep}
            onEnd={end}
          />
        )}
      </div>
    </Section>
  )
}

/** What the platform knows already of the order and its buyer. */
function useKnown({ orderId, customerId }: Dispute): Draft {
  const may = useMay()
  const { data: order } = useRead('orders.get', may('orders.get') ? { orderId } : null)
  const { data: customer } = useRead('customers.get', may('customers.get') ? { customerId } : null)
  const lines = (order?.lines ?? []).map(({ quantity, name }) => `${quantity} × ${name}`)
  return {
    productDescription: lines.join('\n'),
    customerName: `${customer?.firstName ?? ''} ${customer?.lastName ?? ''}`.trim(),
    customerEmail: customer?.email ?? '',
    billingAddress: linesOf(order?.buyer?.billingAddress ?? customer?.billingAddress),
    shippingAddress: linesOf(order?.buyer?.shippingAddress ?? customer?.shippingAddress),
  }
}

function linesOf(address: ResponseOf<Contract['customers']['get']>['billingAddress'] | undefined): string {
  const { line1, line2, postalCode, city, state, country } = address ?? {}
  const place = [postalCode, city, state].filter(Boolean).join(' ')
  return [line1, line2, place, country].filter(Boolean).join('\n')
}

interface FormProps {
  disputeId: string
  draft: Draft
  /** Whether it has more than what the platform knew. */
  isTyped: boolean
  onChange: (draft: Draft) => void
  /** It was sent, or is not wanted any more. */
  onEnd: () => void
}

function Form({ disputeId, draft, isTyped, onChange, onEnd }: FormProps) {
  const typed = Object.entries(draft).filter(([, words]) => words.trim() !== '')
  useUnsaved(isTyped) // another page of the console leaves it as it is
  const change = useChange(
    async (evidence: DisputeEvidence, options) => {
      await api.disputes.submitEvidence({ disputeId, ...evidence }, options)
      onEnd()
    },
    ['disputes.', 'payments.'],
  )
  return (
    <div class="stack evidence">
      {Object.entries(groups).map(([group, fields]) => (
        <fieldset key={group} class="stack">
          {/* The keys of `groups` are those of the texts. */}
          <legend>{text(`evidence.group.${group as keyof typeof groups}`)}</legend>
          {Object.entries(fields).map(([name, size]) => {
            const field = name as Field // `groups` has no others.
            const props = {
              label: text(`evidence.${field}`),
              value: draft[field] ?? '',
              onValue: (words: string) => onChange({ ...draft, [field]: words }),
            }
            return size === 'long' ? <TextArea key={field} {...props} /> : <Input key={field} {...props} />
          })}
        </fieldset>
      ))}
      <p class="hint">{text('evidence.kept')}</p>
      <p>{text('evidence.effect')}</p>
      <Decision
        change={change}
        kind="main"
        label={text('evidence.send')}
        disabled={typed.length === 0}
        leave={text('evidence.discard')}
        onClose={onEnd}
        run={() => change.run(Object.fromEntries(typed))}
      />
    </div>
  )
}
