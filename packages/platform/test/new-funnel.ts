import {
  contract,
  type Funnel,
  type NewFunnelInput,
  type NewPreviewSession,
  type ResponseOf,
} from '@tillwright/contract'
import type { TestPlatform } from './test-platform.ts'

/** A funnel of the local store with a checkout and a page of thanks, unless `change` says otherwise. */
export function newFunnel(platform: TestPlatform, change: Partial<NewFunnelInput> = {}): Promise<Funnel> {
  const body = {
    storeId: platform.local.storeId,
    name: 'Funnel',
    steps: [
      { type: 'checkout', name: 'Checkout', path: '/checkout' },
      { type: 'thank_you', name: 'Thank you', path: '/thank-you' },
    ],
    ...change,
  }
  return platform.call(contract.funnels.create, { body })
}

/** A preview of a funnel from its first step on: the local one, unless another is given. */
export function newPreviewSession(
  platform: TestPlatform,
  funnel?: Funnel,
  options: Pick<NewPreviewSession, 'builderOptions'> = {},
): Promise<ResponseOf<typeof contract.funnels.previewSession>> {
  const { local } = platform
  const funnelId = funnel?.id ?? local.funnelId
  const stepId = funnel?.steps[0]?.id ?? local.stepId
  const storeId = funnel?.storeId ?? local.storeId
  return platform.call(contract.funnels.previewSession, { params: { funnelId }, body: { storeId, stepId, ...options } })
}
