import { names } from 'virtual:names'
import type { ComponentChildren } from 'preact'
import { useRead } from '../../api/query.ts'
import { Copy } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Empty, Loaded } from '../../design/states.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'
import './developers.css'

const cards = [
  ['4242 4242 4242 4242', 'card.charged'],
  ['4000 0000 0000 0002', 'card.declined'],
  ['4000 0000 0000 9995', 'card.insufficient'],
] as const

/** Cards of the simulated bank. Source: apps/docs/pages/3-d-secure/testing.md. */
const threedsCards = [
  ['4000 0027 6000 3184', 'card.challenge'],
  ['4000 0000 0000 2719', 'card.attempted'],
  ['4000 0000 0000 2925', 'card.failed'],
  ['4000 0000 0000 2537', 'card.rejected'],
  ['4000 0000 0000 2313', 'card.unavailable'],
  ['4000 0000 0000 2818', 'card.app'],
] as const

const codes = [
  ['1234', 'code.authenticated'],
  ['1111', 'code.failed'],
  ['2222', 'code.rejected'],
  ['3333', 'code.unavailable'],
] as const

/** Test cards, codes and tokens, where payments are simulated. */
export function Testing() {
  const read = useRead('accounts.get', {})
  return (
    <Page title={shared('page.testing')}>
      <Loaded read={read}>
        {({ environment }) =>
          environment === 'production' ? (
            <Empty title={text('realCards')}>
              <p>{text('realCardsHint')}</p>
            </Empty>
          ) : (
            <div class="stack">
              <p>{text('testingHint')}</p>
              <Pairs title={text('testCards')} of={cards.map(([card, key]) => [card, text(key)])} />
              <Pairs title={text('testThreeds')} of={threedsCards.map(([card, key]) => [card, text(key)])}>
                <p>{text('testCodes')}</p>
              </Pairs>
              <Pairs title={text('bankCodes')} of={codes.map(([code, key]) => [code, text(key)])} />
              <Pairs title={text('testTokens')} of={names.testTokens} />
              <Section title={text('clock')}>
                <p>{text('clockHint')}</p>
                <p class="once">
                  <Copy value="tillwright clock advance 30d" />
                </p>
              </Section>
              <ApiCall operation="accounts.get" input={{}} />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

interface PairsProps {
  title: string
  of: readonly (readonly [value: string, meaning: string])[]
  children?: ComponentChildren
}

function Pairs({ title, of: pairs, children }: PairsProps) {
  return (
    <Section title={title}>
      {children}
      <ul class="cards">
        {pairs.map(([value, meaning]) => (
          <li key={value}>
            <Copy value={value} /> <span>{meaning}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
