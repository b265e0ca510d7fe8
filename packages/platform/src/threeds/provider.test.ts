import { expect, test } from 'vitest'
import { requireProvider } from './provider.ts'

test('where a provider’s name is not set up, the caller is told to ask the operator', async () => {
  for (const name of ['vendor_a', 'vendor_b'] as const) {
    await expect(requireProvider(name, async () => null)).rejects.toThrow(
      expect.objectContaining({ code: 'unavailable', details: { headers: { 'Retry-After': '3600' } } }),
    )
  }
})
