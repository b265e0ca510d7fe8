import { z } from 'zod'
import { timestamp } from '../text.ts'

const party = z.enum(['server', 'directory', 'issuer', 'browser'])

/** One message of an authentication on its way, as the built-in engine saw it. */
export const threedsTranscriptEntry = z
  .object({
    position: z.int().meta({ description: 'Counts the messages of the session from 1.', examples: [1] }),
    at: timestamp.meta({ description: 'When it was sent, in UTC.' }),
    from: party.meta({ description: 'Who sent it.', examples: ['server'] }),
    to: party.meta({ description: 'Who received it.', examples: ['directory'] }),
    type: z.string().meta({
      description: 'The message’s type as EMV 3DS names it; Method for what is posted to a method page.',
      examples: ['AReq'],
    }),
    message: z.unknown().meta({
      description: 'The message with the names of EMV 3DS, without the card number; text for what was no JSON.',
      examples: [{ messageType: 'AReq', messageVersion: '2.2.0', acctNumber: '400000******2503' }],
    }),
  })
  .meta({ id: 'ThreedsTranscriptEntry' })
