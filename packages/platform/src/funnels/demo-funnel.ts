import type { NewFunnelInput } from '@tillwright/contract'

/** The funnel that a shop can begin with: what was chosen is paid, and maybe something beside it, and the buyer is thanked. */
export function demoFunnel(storeId: string): NewFunnelInput {
  return {
    storeId,
    name: 'Demo funnel',
    steps: [
      { type: 'checkout', name: 'Checkout', path: '/checkout' },
      { type: 'upsell', name: 'One more thing', path: '/one-more-thing' },
      { type: 'thank_you', name: 'Thank you', path: '/thank-you' },
    ],
  }
}
