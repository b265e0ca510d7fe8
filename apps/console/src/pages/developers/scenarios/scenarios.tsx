import { useState } from 'preact/hooks'
import { useRead } from '../../../api/query.ts'
import { Button, Copy } from '../../../design/controls.tsx'
import { Section } from '../../../design/section.tsx'
import { Empty, Loaded } from '../../../design/states.tsx'
import { Table } from '../../../lists/table.tsx'
import { ApiCall } from '../../../shell/api-call.tsx'
import { Page } from '../../../shell/page.tsx'
import { useMay } from '../../../shell/session.ts'
import { text as shared } from '../../../shell/text.ts'
import { MakeTestData, needsOf, type TestData, testData } from './make-test-data.tsx'
import { text } from './text.ts'
import './scenarios.css'

/** The cards that `scenarios.json` calls by a name. Source: `scenarioCards` of `@tillwright/plugin-dev`. */
const cards = [
  ['success', '4242 4242 4242 4242', 'card.success'],
  ['success_mastercard', '5555 5555 5555 4444', 'card.success'],
  ['success_amex', '3782 822463 10005', 'card.success'],
  ['declined', '4000 0000 0000 0002', 'card.declined'],
  ['insufficient_funds', '4000 0000 0000 9995', 'card.insufficient'],
  ['lost_card', '4000 0000 0000 9987', 'card.lost'],
  ['stolen_card', '4000 0000 0000 9979', 'card.stolen'],
  ['expired_card', '4000 0000 0000 0069', 'card.expired'],
  ['incorrect_cvc', '4000 0000 0000 0127', 'card.cvc'],
  ['processing_error', '4000 0000 0000 0119', 'card.processing'],
  ['threeds', '4000 0027 6000 3184', 'card.threeds'],
] as const

const commands = [
  ['tillwright test', 'run.all'],
  ['tillwright test --scenario "Card is declined"', 'run.single'],
  ['tillwright dev --scenario "Card is declined"', 'run.dev'],
  ['tillwright preview --scenario "Card is declined" --open', 'run.preview'],
] as const

/** The situations that plugins are seen in, and test data in a click. */
export function Scenarios() {
  const read = useRead('accounts.get', {})
  return (
    <Page title={shared('page.scenarios')}>
      <Loaded read={read}>
        {({ environment }) =>
          environment === 'production' ? (
            <Empty title={text('realMoney')}>
              <p>{text('realMoneyHint')}</p>
            </Empty>
          ) : (
            <div class="stack">
              <Make />
              <Section title={text('scenarios')}>
                <p>{text('scenariosHint')}</p>
                <ul class="commands">
                  {commands.map(([command, key]) => (
                    <li key={command}>
                      <Copy value={command} /> <span>{text(key)}</span>
                    </li>
                  ))}
                </ul>
              </Section>
              <Section title={text('scenarioCards')}>
                <p>{text('scenarioCardsHint')}</p>
                <Table
                  title={text('scenarioCards')}
                  columns={[
                    { title: text('cardName'), cell: ([name]) => <code>{name}</code> },
                    { title: text('cardNumber'), rank: 2, cell: ([, number]) => <Copy value={number} /> },
                    { title: text('outcome'), cell: ([, , key]) => text(key) },
                  ]}
                  rows={cards}
                  idOf={([name]) => name}
                />
              </Section>
              <SameByApi />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

/** A test payment in the account's own store, with a card that is there; before there is one, the call that makes one. */
function SameByApi() {
  const may = useMay()
  const { data: stores } = useRead('stores.list', may('stores.list') ? { limit: 1 } : null)
  const store = stores?.data[0]
  const inStore = store === undefined || !may('paymentInstruments.list') ? null : { storeId: store.id, active: true }
  const { data: instruments } = useRead('paymentInstruments.list', inStore && { ...inStore, limit: 1 })
  if (store === undefined || instruments === undefined) return null
  const { id: storeId, baseCurrency: currency } = store
  const paymentInstrumentId = instruments.data[0]?.id
  if (paymentInstrumentId === undefined) {
    return <ApiCall operation="paymentInstruments.createFromToken" input={{ serviceToken: 'tok_visa', storeId }} />
  }
  return <ApiCall operation="payments.create" input={{ storeId, paymentInstrumentId, amount: 4_900, currency }} />
}

/** Buttons for test data. Kinds that the member's role may not create are hidden. */
function Make() {
  const may = useMay()
  const [making, setMaking] = useState<TestData | null>(null)
  const kinds = testData.filter((kind) => needsOf[kind].every(may))
  if (kinds.length === 0) return null
  return (
    <Section title={text('make')}>
      <p>{text('makeHint')}</p>
      <div class="actions start">
        {kinds.map((kind) => (
          <Button key={kind} icon="plus" onClick={() => setMaking(kind)}>
            {text(`make.${kind}`)}
          </Button>
        ))}
      </div>
      {making !== null && <MakeTestData kind={making} onClose={() => setMaking(null)} />}
    </Section>
  )
}
