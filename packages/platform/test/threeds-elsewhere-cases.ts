import type { ThreedsCase } from './threeds-case.ts'
import type { Visit } from './threeds-visit.ts'

/** Its bank asks in its app, and has no page for it. */
export const DECOUPLED_CARD = '4000000000002834'

const askedElsewhere: readonly ThreedsCase[] = [
  {
    when: 'the buyer confirms there',
    isSoaked: true, // as behind a reload, below
    andThen: answersElsewhere,
    outcome: 'authenticated',
  },
  {
    when: 'the buyer refuses there',
    isSoaked: true,
    arranged: { challenge: 'decoupled', result: 'N' },
    andThen: answersElsewhere,
    outcome: 'failed',
  },
  {
    when: 'the page is loaded anew meanwhile',
    andThen: async ({ page, authenticate, bankAsksElsewhere, timePasses }) => {
      await bankAsksElsewhere()
      await page.reload()
      await authenticate()
      await bankAsksElsewhere()
      await timePasses()
    },
    outcome: 'authenticated',
  },
  {
    when: 'the buyer presses the vault’s button',
    isSoaked: true,
    andThen: async ({ bankAsksElsewhere, frame }) => {
      await bankAsksElsewhere()
      await frame.getByRole('button', { name: 'Cancel' }).click()
    },
    outcome: 'cancelled',
  },
  {
    when: 'the buyer presses Esc',
    isSoaked: true,
    andThen: async ({ bankAsksElsewhere, page }) => {
      await bankAsksElsewhere()
      await page.keyboard.press('Escape')
    },
    outcome: 'cancelled',
  },
]

/** The bank asks in its app, and tells the vault alone what the buyer has answered. */
export const buyerIsAskedElsewhere: readonly ThreedsCase[] = askedElsewhere.map((each) => ({
  card: DECOUPLED_CARD,
  isElsewhere: true,
  ...each,
}))

/** Notifies the buyer, who answers some seconds later. */
async function answersElsewhere({ bankAsksElsewhere, timePasses }: Visit): Promise<void> {
  await bankAsksElsewhere()
  await timePasses()
}
