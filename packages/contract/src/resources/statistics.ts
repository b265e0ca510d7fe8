import { z } from 'zod'
import { exampleId, idOf, reference } from '../ids.ts'
import { STATISTICS_POINTS_MAX } from '../limits.ts'
import { currency } from '../money.ts'
import { anyTimestamp, timestamp } from '../text.ts'

/** The query of `GET /api/statistics/v1/statistics`. */
export const statisticsQuery = z.object({
  from: anyTimestamp.optional().meta({
    description: 'The first hour or day is the one of this time; 24 intervals before `to` by default.',
    examples: ['2026-11-19T00:00:00.000Z'],
  }),
  to: anyTimestamp.optional().meta({
    description: 'The end: this time is not included; now by default.',
    examples: ['2026-11-20T00:00:00.000Z'],
  }),
  interval: z
    .enum(['hour', 'day'])
    .default('hour')
    .meta({
      description: `Whether to count by hours or by days, of UTC: at most ${STATISTICS_POINTS_MAX}.`,
      examples: ['hour'],
    }),
  storeId: reference
    .optional()
    .meta({ description: 'Only payments and disputes of this store.', examples: [exampleId('store')] }),
})
export type StatisticsQuery = z.output<typeof statisticsQuery>

const series = (description: string) => z.array(z.int()).meta({ description, examples: [[3, 0, 5]] })

/** Statistics of an account. Every list has one number for each of `times`. */
export const accountStatistics = z
  .object({
    interval: z.enum(['hour', 'day']).meta({ description: 'The length of each interval.', examples: ['hour'] }),
    times: z.array(timestamp).meta({
      description: 'When each interval begins.',
      examples: [['2026-11-20T07:00:00.000Z', '2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z']],
    }),
    upTo: timestamp.meta({
      description: 'Time until which events are counted: now, unless very much has happened in the last minutes.',
      examples: ['2026-11-20T09:30:00.000Z'],
    }),
    currencies: z
      .array(
        z.object({
          currency: currency.meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
          volume: series(
            'The captured amount, in minor units; captures that are reversed are taken off when that is told.',
          ),
          succeeded: series('Payments that were captured.'),
          failed: series('Payments that were declined or failed.'),
          canceled: series('Authorized payments that were voided.'),
          created: series('Payments that were begun.'),
          refundedVolume: series(
            'The refunded amount, in minor units, by the time of the refund; refunds that are reversed are taken off when that is told.',
          ),
          refunds: series('Refunds.'),
          disputedVolume: series('The amount of the chargebacks, in minor units.'),
          chargebacks: series('Chargebacks that were opened.'),
          inquiries: series('Inquiries of banks that were opened.'),
        }),
      )
      .meta({ description: 'The currencies in which anything happened, by code.' }),
    processors: z
      .array(
        z.object({
          processorId: idOf('processor', 'The id of the processor.'),
          attempts: series('Attempts at the processor, by the time when the payment was decided.'),
          approved: series('Those that the processor has approved.'),
        }),
      )
      .meta({ description: 'The processors that were tried, by id.' }),
    webhooks: z
      .object({
        delivered: series('Webhooks that were acknowledged.'),
        failedTries: series('Tries of webhooks that were not acknowledged; most are tried again.'),
      })
      .nullable()
      .meta({ description: 'Deliveries of webhooks; null for a single store.' }),
    processing: z.int().meta({ description: 'Payments that are under way or wait for the buyer now.', examples: [2] }),
  })
  .meta({ id: 'AccountStatistics', description: 'Counts of an account’s events, by hours or days.' })
export type AccountStatistics = z.infer<typeof accountStatistics>
