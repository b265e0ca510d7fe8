import { contract, type NewPromotionInput } from '@tillwright/contract'
import type { TestPlatform } from './test-platform.ts'

let codes = 0

/** A code that no other promotion of the test run has. */
export function newCode(): string {
  codes += 1
  return `Code-${codes}`
}

/** Makes a promotion of the local store that takes 10 % off the order, unless `change` says otherwise. */
export async function newPromotion(
  { call, local }: TestPlatform,
  change: Partial<NewPromotionInput> = {},
): Promise<string> {
  const { id } = await call(contract.promotions.create, {
    body: {
      storeId: local.storeId,
      name: 'Ten per cent',
      actions: [{ type: 'OrderPercentageAdjustment', adjustmentPercentage: 10 }],
      ...change,
    },
  })
  return id
}
