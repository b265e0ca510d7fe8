import { z } from 'zod'
import { exampleId, idOf } from '../ids.ts'
import { currency } from '../money.ts'
import { timestamp } from '../text.ts'

/** Changes of money, each booked on two accounts of the ledger. */
export const booking = z.enum([
  'captured',
  'capture_reversed',
  'refunded',
  'refund_reversed',
  'withheld',
  'released',
  'charged_back',
  'taken_back',
  'given_back',
])

/** Accounts of the ledger. */
export const ledgerAccount = z.enum(['processor', 'sales', 'refunds', 'disputes', 'losses'])

const ledgerLine = z
  .object({
    entryId: z.string().meta({
      description: 'The capture, refund or dispute that was booked.',
      examples: [exampleId('capture')],
    }),
    booking: booking.meta({
      description:
        'Kind of entry: `captured`, `refunded`; `capture_reversed` and `refund_reversed` what of these came to nothing later; of a dispute: `withheld` while it is open, `released` when it was won, `charged_back` when it was lost, `taken_back` what was lost without having been withheld, `given_back` what was won after it had been lost.',
      examples: ['captured'],
    }),
    account: ledgerAccount.meta({
      description:
        'The account: `processor`, what the processor holds for you; `sales`, what was sold; `refunds`, what was given back; `disputes`, what is withheld; `losses`, what lost disputes have cost.',
      examples: ['processor'],
    }),
    amount: z.int().meta({
      description: 'In minor units of the payment’s currency: a debit is positive, a credit negative.',
      examples: [1_999],
    }),
    createdAt: timestamp.meta({ description: 'When it was booked.' }),
  })
  .meta({ id: 'LedgerLine', description: 'One side of a booking.' })

/** The ledger of a payment. */
export const paymentLedger = z
  .object({
    paymentId: idOf('payment', 'The payment.'),
    currency: currency.meta({ description: 'The currency of all amounts.', examples: ['USD'] }),
    sum: z.int().meta({ description: 'The sum of all lines: always 0.', examples: [0] }),
    lines: z.array(ledgerLine).meta({ description: 'In the order in which they were booked, two for each booking.' }),
  })
  .meta({ id: 'PaymentLedger', description: 'Double entries of every movement of a payment’s money.' })
