import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Badge, Button, Dialog } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Failure, Loaded } from '../../design/states.tsx'
import { Decision } from '../../forms/decision.tsx'
import { shortTime } from '../../language/values.ts'
import { cardName } from '../../objects/names.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { Status } from '../../shell/status.tsx'
import { text } from './text.ts'

type Instrument = ListEntry<'paymentInstruments.list'>

/** Operations whose results a change of a card makes stale. */
const AFFECTED = ['paymentInstruments.', 'subscriptions.']

/** The cards of a customer: which one is the default, which can be charged, and their deletion. */
export function Cards({ customerId }: { customerId: string }) {
  const read = useRead('paymentInstruments.list', { customerId, limit: 100 })
  return (
    <Section title={text('cards')}>
      <Loaded read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="hint">{text('noCards')}</p>
          ) : (
            <ul class="cards">
              {data.map((each) => (
                <CardLine key={each.id} instrument={each} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function CardLine({ instrument }: { instrument: Instrument }) {
  const { id: paymentInstrumentId, card, consent, replacement, isActive, isDefault, revision } = instrument
  const may = useMay()
  const [isDeleting, setDeleting] = useState(false)
  const change = useChange(
    (input: { isActive?: boolean; isDefault?: boolean }, options) =>
      api.paymentInstruments.update({ paymentInstrumentId, revision, ...input }, options),
    AFFECTED,
  )
  return (
    <li>
      <div class="line">
        <strong>{cardName(card)}</strong>
        <span class="hint">{text('expires', { month: `${card.expMonth}/${card.expYear}` })}</span>
        {isDefault && <Badge tone="good">{text('default')}</Badge>}
        {!isActive && <Status of="inactive" />}
      </div>
      {replacement !== null && (
        <span class="hint">
          {text('replaced', {
            card: cardName({ ...card, ...replacement }),
            month: `${replacement.expMonth}/${replacement.expYear}`,
          })}
        </span>
      )}
      {consent !== null && (
        <a class="hint" href={`/console/payments/${consent.paymentId}`}>
          {text(`consent.${consent.usage}`, { date: shortTime(consent.agreedAt) })}
        </a>
      )}
      <div class="line">
        {may('paymentInstruments.update') && (
          <>
            {isActive && !isDefault && (
              <Button isBusy={change.isRunning} onClick={() => void change.run({ isDefault: true })}>
                {text('makeDefault')}
              </Button>
            )}
            <Button isBusy={change.isRunning} onClick={() => void change.run({ isActive: !isActive })}>
              {text(isActive ? 'deactivate' : 'activate')}
            </Button>
          </>
        )}
        {may('paymentInstruments.delete') && <Button onClick={() => setDeleting(true)}>{text('delete')}</Button>}
      </div>
      {change.failure !== null && <Failure failure={change.failure} />}
      {isDeleting && <DeleteDialog instrument={instrument} onClose={() => setDeleting(false)} />}
    </li>
  )
}

/** Deletes a card for good, and names the subscriptions that need another one. */
function DeleteDialog({ instrument, onClose }: { instrument: Instrument; onClose: () => void }) {
  const { id: paymentInstrumentId, card } = instrument
  const [orphans, setOrphans] = useState<readonly string[]>([])
  const change = useChange(async (_: null, options) => {
    const { subscriptionIds } = await api.paymentInstruments.delete({ paymentInstrumentId }, options)
    setOrphans(subscriptionIds)
    if (subscriptionIds.length === 0) onClose()
  }, AFFECTED)
  const name = cardName(card)
  if (orphans.length > 0) {
    return (
      <Dialog title={text('deleted', { card: name })} onClose={onClose}>
        <p class="remark">{text('orphans')}</p>
        <ul>
          {orphans.map((id) => (
            <li key={id}>
              <a href={`/console/subscriptions/${id}`}>{id}</a>
            </li>
          ))}
        </ul>
        <div class="actions">
          <Button onClick={onClose}>{shared('close')}</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={text('deleteCard', { card: name })} onClose={onClose}>
      <p>{text('deleteEffect')}</p>
      <Decision
        change={change}
        label={text('deleteCard', { card: name })}
        onClose={onClose}
        run={() => change.run(null)}
      />
    </Dialog>
  )
}
