import { z } from 'zod'
import { networkNames } from '../card/networks.ts'
import { threedsProvider } from './threeds-sessions.ts'

/** A 3-D Secure provider as an account sees it: where it is, and how the platform shows itself there, is not told. */
export const availableThreedsProvider = z
  .object({
    provider: threedsProvider.meta({ description: 'The name of the provider.', examples: ['vendor_a'] }),
    configured: z.boolean().meta({
      description:
        'Whether it can authenticate here. In production the operator configures it; elsewhere the simulated bank stands in for it.',
      examples: [true],
    }),
    networks: z
      .array(z.enum(networkNames))
      .nullable()
      .meta({
        description:
          'The networks whose cards it authenticates; null for all, and empty for a provider that is not configured.',
        examples: [['visa', 'mastercard']],
      }),
    selected: z.boolean().meta({
      description:
        'Whether it authenticates the buyers of the account’s payments. A 3-D Secure session of its own names its provider itself.',
      examples: [true],
    }),
  })
  .meta({ id: 'ThreedsProvider', description: 'A 3-D Secure provider.' })
export type AvailableThreedsProvider = z.infer<typeof availableThreedsProvider>

/** All 3-D Secure providers. */
export const availableThreedsProviders = z
  .object({ data: z.array(availableThreedsProvider).meta({ description: 'The providers, by name.' }) })
  .meta({ id: 'ThreedsProviders', description: 'The 3-D Secure providers.' })
