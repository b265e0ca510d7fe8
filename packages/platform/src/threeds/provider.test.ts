import { expect, test } from 'vitest'
import { requireProvider } from './provider.ts'

test('if a provider’s name is not set up, the error refers the caller to the operator', async () => {
  for (const name of ['vendor_a', 'vendor_b'] as const) {
    await expect(requireProvider(name, async () => null)).rejects.toThrow(
      expect.objectContaining({ code: 'unavailable', details: { headers: { 'Retry-After': '3600' } } }),
    )
  }
})
