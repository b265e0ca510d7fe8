import { z } from 'zod'
import { timestamp } from '../text.ts'

const party = z.enum(['server', 'directory', 'issuer', 'browser'])

/** One message of EMV 3DS that has gone by in an authentication. */
const threedsMessage = z
  .object({
    position: z.int().meta({ description: 'Counts from 1, in the order of the messages.', examples: [1] }),
    at: timestamp.meta({ description: 'When the message went by, in UTC.' }),
    from: party.meta({ description: 'Who has sent it.', examples: ['server'] }),
    to: party.meta({ description: 'Who was to receive it.', examples: ['directory'] }),
    type: z.string().meta({ description: 'The type of the message.', examples: ['AReq'] }),
    message: z.unknown().meta({
      description: 'The message itself; of a card number the first six and the last four digits.',
      examples: [{ messageType: 'AReq', acctNumber: '400000******2503' }],
    }),
  })
  .meta({ id: 'ThreedsMessage' })

/** All messages of an authentication in their order. */
export const threedsTranscript = z.array(threedsMessage)
