import { expect, test } from 'vitest'
import { stripeDecline } from './declines.ts'

test.for([
  [{ code: 'card_declined', decline_code: 'insufficient_funds' }, 'insufficient_funds', 'soft'],
  [{ code: 'card_declined', decline_code: 'stolen_card' }, 'stolen_card', 'hard'],
  [{ code: 'card_declined', decline_code: 'merchant_blacklist' }, 'fraudulent', 'hard'],
  [{ code: 'card_declined', decline_code: 'stop_payment_order' }, 'authorization_revoked', 'hard'],
  [{ code: 'incorrect_number' }, 'invalid_number', 'hard'],
  [{ code: 'processing_error' }, 'processing_error', 'soft'],
  [{ code: 'card_declined', decline_code: 'a_code_of_tomorrow' }, 'generic_decline', 'soft'],
  [{ code: 'card_declined', decline_code: 'toString' }, 'generic_decline', 'soft'],
  [{}, 'generic_decline', 'soft'],
] as const)('Stripe’s %o is %s, which is %s', ([failure, declineCode, kind]) => {
  expect(stripeDecline(failure, 'pi_1')).toEqual({
    outcome: 'declined',
    declineCode,
    kind,
    advice: null,
    reference: 'pi_1',
  })
})

test.for(['authentication_required', 'authentication_not_handled'])('%s asks for 3-D Secure', (decline_code) => {
  expect(stripeDecline({ code: 'card_declined', decline_code }, 'pi_1')).toEqual({
    outcome: 'threeds_required',
    reference: 'pi_1',
  })
})

test('advice not to try again makes a soft decline hard, whether it is Stripe’s or the network’s', () => {
  const soft = { code: 'card_declined', decline_code: 'do_not_honor' }
  expect(stripeDecline({ ...soft, advice_code: 'do_not_try_again' }, null)).toMatchObject({ kind: 'hard' })
  expect(stripeDecline({ ...soft, network_advice_code: '21' }, null)).toMatchObject({ kind: 'hard', advice: '21' })
  expect(stripeDecline({ ...soft, advice_code: 'try_again_later', network_advice_code: '02' }, null)).toMatchObject({
    kind: 'soft',
    advice: '02',
  })
})
