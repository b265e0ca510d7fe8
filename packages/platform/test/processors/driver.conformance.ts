import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Authorisation, MethodName, OtherMethod } from '../../src/processors/authorisation.ts'
import type { Driver, PostAuthorizationOutcome } from '../../src/processors/driver.ts'
import type { Capabilities } from '../../src/processors/processor-driver.ts'
import { CLOSED, RENEWED, renewedTo, REPLACED, replacedBy } from './cards-on-file.ts'
import {
  type AuthorisationChange,
  factsOf,
  newAuthorisation,
  newPostAuthorizationId,
  proof,
} from './new-authorisation.ts'

/** The totals of a processor's own books over one test, in minor units. */
export interface Books {
  /** Approved authorisations, captured or not. */
  accepted: number
  captured: number
  refunded: number
}

/** A driver connected to a processor whose books the test can read. */
export interface TestedDriver {
  driver: Driver
  books(): Promise<Books>
  /** The same driver on a network that loses each authorisation request. */
  losesRequests(): Driver
  /** The same driver on a network that loses each authorisation's answer. */
  losesAnswers(): Driver
  /**
   * The final outcome of a `pending` capture, refund or void, by our id of it. Required by the capability
   * `answersLater`.
   */
  awaited?(id: string): Promise<PostAuthorizationOutcome>
  /** Has the buyer, or their bank, pay or refuse. Required by `methods`. */
  decided?(attempt: Authorisation, as: 'paid' | 'refused'): Promise<void>
  /** Opens a dispute of a charge, and returns the processor's id of it. Required by the capability `evidence`. */
  disputed?(attempt: Authorisation): Promise<string>
}

const otherMethods: Readonly<Record<MethodName, OtherMethod>> = {
  ideal: { type: 'redirect', method: 'ideal' },
  paypal: { type: 'redirect', method: 'paypal' },
  voucher: { type: 'voucher', method: 'voucher' },
  sepa_debit: {
    type: 'debit',
    method: 'sepa_debit',
    account: { iban: 'AT611904300234573201', holderName: 'Ada Byrne' },
    mandate: { reference: 'mandate-1', agreedMs: Date.UTC(2030, 0, 1) },
  },
}

const declines = [
  ['4000000000000002', 'generic_decline', 'soft'],
  ['4000000000009995', 'insufficient_funds', 'soft'],
  ['4000000000000119', 'processing_error', 'soft'],
  ['4000000000006975', 'card_velocity_exceeded', 'soft'],
  ['4000000000009987', 'lost_card', 'hard'],
  ['4000000000009979', 'stolen_card', 'hard'],
  ['4000000000000069', 'expired_card', 'hard'],
  ['4000000000000127', 'incorrect_cvc', 'hard'],
  ['4100000000000019', 'fraudulent', 'hard'],
] as const

/**
 * The suite that every driver must pass, as far as its capabilities reach. `open` starts a processor, which cleans up
 * by itself.
 */
export function driverConformance(name: string, able: Capabilities, open: () => Promise<TestedDriver>): void {
  describe(`the driver of ${name}`, () => {
    let tested: TestedDriver
    beforeAll(async () => {
      tested = await open()
    })

    async function authorised(change: AuthorisationChange = {}): Promise<string> {
      const outcome = await tested.driver.authorise(newAuthorisation(change))
      if (outcome.outcome !== 'authorized' && outcome.outcome !== 'succeeded') throw new Error(JSON.stringify(outcome))
      return outcome.reference
    }

    const booked = (work: () => Promise<unknown>) => bookedBy(tested, work)

    /** The final outcome, after any that was `pending`. */
    async function ended(id: string, asked: Promise<PostAuthorizationOutcome>): Promise<PostAuthorizationOutcome> {
      const outcome = await asked
      return outcome.outcome === 'pending' && tested.awaited !== undefined ? tested.awaited(id) : outcome
    }
    const capture = (reference: string, amount: number, { id = newPostAuthorizationId(), isFinal = true } = {}) =>
      ended(id, tested.driver.capture({ id, reference, amount, currency: 'USD', isFinal }))
    const refund = (reference: string, amount: number, id = newPostAuthorizationId()) =>
      ended(id, tested.driver.refund({ id, reference, amount, currency: 'USD' }))
    const voided = (reference: string, id = newPostAuthorizationId()) =>
      ended(id, tested.driver.void({ id, reference }))
    const done: PostAuthorizationOutcome = { outcome: 'succeeded', reference: expect.any(String) }
    const refused = (reason: string) => ({ outcome: 'refused', reason })

    describe('an authorisation', () => {
      test('takes the money at once, or sets it aside for later', async () => {
        const now = await booked(async () => {
          const outcome = await tested.driver.authorise(newAuthorisation())
          expect(outcome).toMatchObject({ outcome: 'succeeded', reference: expect.any(String) })
        })
        expect(now).toEqual({ accepted: 1, captured: 1_999, refunded: 0 })
        const later = await booked(async () => {
          const outcome = await tested.driver.authorise(newAuthorisation({ capture: 'later' }))
          expect(outcome).toMatchObject({ outcome: 'authorized', reference: expect.any(String) })
        })
        expect(later).toEqual({ accepted: 1, captured: 0, refunded: 0 })
      })

      test('goes through in a currency without a minor unit, with a descriptor and without a security code', async () => {
        const yen = newAuthorisation({ amount: 1_500, currency: 'JPY', descriptor: 'ORDER 12', cvc: null })
        expect(await tested.driver.authorise(yen)).toMatchObject({ outcome: 'succeeded' })
      })

      test.for(declines)('of the card %s is declined as %s, which is %s', async ([number, declineCode, kind]) => {
        const attempt = newAuthorisation({ number })
        let outcome
        const books = await booked(async () => (outcome = await tested.driver.authorise(attempt)))
        expect(outcome).toMatchObject({ outcome: 'declined', declineCode, kind })
        expect(books).toEqual({ accepted: 0, captured: 0, refunded: 0 })
        expect(await tested.driver.query(factsOf(attempt))).toMatchObject({ outcome: 'declined', declineCode, kind })
      })

      testWhere(able.authentication)(
        'of a card that needs 3-D Secure takes nothing, and with a proof it goes through',
        async () => {
          const attempt = newAuthorisation({ number: '4000002760003184' })
          let outcome
          const books = await booked(async () => (outcome = await tested.driver.authorise(attempt)))
          expect(outcome).toMatchObject({ outcome: 'threeds_required' })
          expect(books).toEqual({ accepted: 0, captured: 0, refunded: 0 })
          expect(await tested.driver.query(factsOf(attempt))).toMatchObject({ outcome: 'threeds_required' })
          const proven = newAuthorisation({ number: '4000002760003184', network: 'visa', threeds: proof })
          expect(await tested.driver.authorise(proven)).toMatchObject({ outcome: 'succeeded' })
        },
      )

      testWhere(able.storedCredentials)(
        'that the merchant asks for while nobody is there goes through, unless the issuer wants the buyer',
        async () => {
          const storedCredential = { use: 'later', reason: 'recurring', networkTransactionId: null } as const
          const absent = { initiatedBy: 'merchant', storedCredential, network: 'visa', cvc: null } as const
          expect(await tested.driver.authorise(newAuthorisation(absent))).toMatchObject({ outcome: 'succeeded' })
          const wanted = newAuthorisation({ ...absent, number: '4000002760003184' })
          let outcome
          const books = await booked(async () => (outcome = await tested.driver.authorise(wanted)))
          expect(outcome).toMatchObject({ outcome: 'threeds_required' })
          expect(books).toEqual({ accepted: 0, captured: 0, refunded: 0 })
        },
      )

      testWhere(able.storedCredentials)(
        'with which the buyer agrees to later ones has the network’s id, which those can be sent with',
        async () => {
          const first = { use: 'first', reason: 'recurring', networkTransactionId: null } as const
          const agreed = newAuthorisation({ storedCredential: first })
          const outcome = await tested.driver.authorise(agreed)
          expect(outcome).toMatchObject({
            outcome: 'succeeded',
            networkTransactionId: expect.stringMatching(/^\w{6,}$/),
          })
          expect(await tested.driver.query(factsOf(agreed))).toEqual(outcome)
          const networkTransactionId = 'networkTransactionId' in outcome ? (outcome.networkTransactionId ?? null) : null
          for (const reason of ['recurring', 'installment', 'unscheduled'] as const) {
            const later = { use: 'later', reason, networkTransactionId } as const
            const absent = newAuthorisation({ initiatedBy: 'merchant', storedCredential: later, cvc: null })
            expect(await tested.driver.authorise(absent)).toMatchObject({ outcome: 'succeeded' })
          }
        },
      )

      testWhere(able.accountUpdater)(
        'of a card on file brings the news that its issuer has renewed or replaced it, and of a closed one that nothing will help',
        async () => {
          const storedCredential = { use: 'later', reason: 'recurring', networkTransactionId: null } as const
          const absent = { initiatedBy: 'merchant', storedCredential, network: 'visa', cvc: null } as const
          const pay = (number: string) => tested.driver.authorise(newAuthorisation({ ...absent, number }))
          expect(await pay(RENEWED)).toMatchObject({ outcome: 'succeeded', cardUpdate: renewedTo })
          expect(await pay(REPLACED)).toMatchObject({ outcome: 'succeeded', cardUpdate: replacedBy })
          expect(await pay('4242424242424242')).not.toHaveProperty('cardUpdate')
          const closed = newAuthorisation({ ...absent, number: CLOSED })
          const never = { outcome: 'declined', declineCode: 'closed_account', kind: 'hard' }
          expect(await tested.driver.authorise(closed)).toMatchObject(never)
          expect(await tested.driver.query(factsOf(closed))).toMatchObject(never)
        },
      )

      testWhere(able.zeroAmount && able.authentication)(
        'of nothing says whether the card is good, and takes nothing',
        async () => {
          const good = newAuthorisation({ amount: 0 })
          const lost = newAuthorisation({ amount: 0, number: '4000000000009987' })
          const unproven = newAuthorisation({ amount: 0, number: '4000002760003184' })
          const proven = newAuthorisation({ amount: 0, number: '4000002760003184', network: 'visa', threeds: proof })
          const answers = [
            [good, { outcome: 'succeeded', reference: expect.any(String) }],
            [lost, { outcome: 'declined', declineCode: 'lost_card', kind: 'hard' }],
            [unproven, { outcome: 'threeds_required' }],
            [proven, { outcome: 'succeeded' }],
          ] as const
          const books = await booked(async () => {
            for (const [attempt, answer] of answers) {
              expect(await tested.driver.authorise(attempt)).toMatchObject(answer)
              expect(await tested.driver.query(factsOf(attempt))).toMatchObject(answer)
            }
          })
          expect([books.captured, books.refunded]).toEqual([0, 0])
          const unsent = newAuthorisation({ amount: 0 })
          expect(await tested.driver.query(factsOf(unsent))).toEqual({ outcome: 'not_found' })
          expect(await tested.driver.authorise(unsent)).toMatchObject({ outcome: 'refused_before_acceptance' })
        },
      )

      testWhere(able.authentication)('is still declined after a proof where the issuer says no', async () => {
        const proven = newAuthorisation({ number: '4000008400001629', threeds: proof })
        expect(await tested.driver.authorise(proven)).toMatchObject({
          outcome: 'declined',
          declineCode: 'generic_decline',
        })
      })

      test.for([
        ['one after the other', async (send: () => Promise<unknown>) => [await send(), await send(), await send()]],
        ['at once', (send: () => Promise<unknown>) => Promise.all([send(), send(), send()])],
      ] as const)('that is sent several times under its id, %s, charges once', async ([, sendAll]) => {
        const attempt = newAuthorisation()
        let outcomes: unknown[] = []
        const books = await booked(async () => (outcomes = await sendAll(() => tested.driver.authorise(attempt))))
        expect(books).toEqual({ accepted: 1, captured: 1_999, refunded: 0 })
        expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
      })
    })

    describe('a query', () => {
      test('repeats the answer, however often it is asked', async () => {
        for (const mode of ['now', 'later'] as const) {
          const attempt = newAuthorisation({ capture: mode })
          const outcome = await tested.driver.authorise(attempt)
          expect(await tested.driver.query(factsOf(attempt))).toEqual(outcome)
          expect(await tested.driver.query(factsOf(attempt))).toEqual(outcome)
        }
      })

      test('finds the charge whose answer was lost', async () => {
        const attempt = newAuthorisation()
        const books = await booked(async () => {
          await expect(tested.losesAnswers().authorise(attempt)).rejects.toThrow()
          expect(await tested.driver.query(factsOf(attempt))).toMatchObject({ outcome: 'succeeded' })
        })
        expect(books).toEqual({ accepted: 1, captured: 1_999, refunded: 0 })
      })

      test('finds none if the request was lost, and a request that still arrives takes no money', async () => {
        const attempt = newAuthorisation()
        const books = await booked(async () => {
          await tested
            .losesRequests()
            .authorise(attempt)
            .catch(() => {})
          expect(await tested.driver.query(factsOf(attempt))).toEqual({ outcome: 'not_found' })
          expect(await tested.driver.authorise(attempt)).toMatchObject({ outcome: 'refused_before_acceptance' })
          expect(await tested.driver.query(factsOf(attempt))).toEqual({ outcome: 'not_found' })
        })
        expect(books).toEqual({ accepted: 0, captured: 0, refunded: 0 })
      })

      test('while it is on its way either finds the charge or keeps it from happening', async () => {
        const attempt = newAuthorisation()
        const books = await booked(async () => {
          const [sent, found] = await Promise.all([
            tested.driver.authorise(attempt),
            tested.driver.query(factsOf(attempt)),
          ])
          const outcomes = [sent.outcome, found.outcome]
          expect([
            ['succeeded', 'succeeded'],
            ['refused_before_acceptance', 'not_found'],
          ]).toContainEqual(outcomes)
        })
        expect(books.captured).toBe(books.accepted * 1_999)
      })
    })

    describe('a capture', () => {
      test('takes all of what was set aside, or a part of it, once', async () => {
        const all = await authorised({ capture: 'later' })
        expect(await booked(async () => expect(await capture(all, 1_999)).toEqual(done))).toMatchObject({
          captured: 1_999,
        })
        expect(await capture(all, 1)).toEqual(refused('wrong_state'))
        const part = await authorised({ capture: 'later' })
        expect(await booked(async () => expect(await capture(part, 500)).toEqual(done))).toMatchObject({
          captured: 500,
        })
        expect(await capture(part, 500)).toEqual(refused('wrong_state'))
      })

      test('never takes more than was set aside', async () => {
        const reference = await authorised({ capture: 'later' })
        expect(await capture(reference, 2_000)).toEqual(refused('amount_too_large'))
        expect(await capture(reference, 1_999)).toEqual(done)
      })

      test('that is repeated under its id captures once and answers the same', async () => {
        const [reference, id] = [await authorised({ capture: 'later' }), newPostAuthorizationId()]
        const books = await booked(async () => {
          expect(await capture(reference, 700, { id })).toEqual(await capture(reference, 700, { id }))
        })
        expect(books).toMatchObject({ captured: 700 })
      })
    })

    testWhere(able.severalCaptures)(
      'captures in parts take what was set aside and no more, and none follows the final one',
      async () => {
        const reference = await authorised({ capture: 'later' })
        const books = await booked(async () => {
          expect(await capture(reference, 700, { isFinal: false })).toEqual(done)
          expect(await capture(reference, 1_300, { isFinal: false })).toEqual(refused('amount_too_large'))
          expect(await capture(reference, 300, { isFinal: false })).toEqual(done)
          expect(await capture(reference, 900)).toEqual(done)
          expect(await capture(reference, 1)).toEqual(refused('wrong_state'))
        })
        expect(books).toEqual({ accepted: 0, captured: 1_900, refunded: 0 })
        expect(await refund(reference, 1_900)).toEqual(done)
      },
    )

    testWhere(able.severalCaptures)(
      'a void after a part was captured gives back the rest, and leaves that part',
      async () => {
        const attempt = newAuthorisation({ capture: 'later' })
        const outcome = await tested.driver.authorise(attempt)
        const reference = 'reference' in outcome ? (outcome.reference ?? '') : ''
        const books = await booked(async () => {
          expect(await capture(reference, 700, { isFinal: false })).toEqual(done)
          expect(await voided(reference)).toEqual(done)
          expect(await capture(reference, 1)).toEqual(refused('wrong_state'))
        })
        expect(books).toEqual({ accepted: 0, captured: 700, refunded: 0 })
        const closed = { outcome: 'succeeded', reference, captured: 700 }
        expect(await tested.driver.query(factsOf(attempt))).toMatchObject(closed)
      },
    )

    testMethods(able, { tested: () => tested, booked })

    for (const exemption of able.exemptions) {
      test(`an exemption (${exemption}) is requested, and its result reported`, async () => {
        const outcome = await tested.driver.authorise(newAuthorisation({ exemption }))
        expect(outcome).toMatchObject({
          outcome: 'succeeded',
          exemption: expect.stringMatching(/honoured|refused|unknown/),
        })
      })
    }

    testWhere(able.evidence)('evidence reaches the bank of a dispute, and that of no other', async () => {
      const attempt = newAuthorisation()
      await tested.driver.authorise(attempt)
      const reference = (await tested.disputed?.(attempt)) ?? ''
      const evidence = { productDescription: 'Socks', shippingTrackingNumber: 'JJD0001' }
      const submit = (to: string) =>
        tested.driver.submitEvidence?.({ id: newPostAuthorizationId(), reference: to, evidence })
      expect(await submit(reference)).toEqual({ outcome: 'submitted' })
      expect(await submit('du_NoneSuchThing')).toEqual({ outcome: 'refused', reason: 'unknown_reference' })
    })

    test('a method or a kind of card outside its capabilities never begins', async () => {
      const token = { kind: 'processor_token', token: 'tok_1', cvc: null } as const
      const dpan = {
        kind: 'network_token',
        number: '4895370012003478',
        expMonth: 12,
        expYear: 2040,
        wallet: null,
      } as const
      const unable = [
        ...(able.cards.includes('processor_token') ? [] : [{ type: 'card', card: token, network: null } as const]),
        ...(able.cards.includes('network_token')
          ? []
          : [{ type: 'card', card: { ...dpan, cryptogram: 'AAAA', eci: '05' }, network: null } as const]),
        ...(['ideal', 'paypal'] as const)
          .filter((each) => !able.methods.some(({ method }) => method === each))
          .map((each) => ({ type: 'redirect', method: each }) as const),
      ]
      const books = await booked(async () => {
        for (const method of unable) {
          const attempt = newAuthorisation({ method, returnUrl: 'https://shop.example/back' })
          expect(await tested.driver.authorise(attempt)).toMatchObject({ outcome: 'refused_before_acceptance' })
        }
      })
      expect(books).toEqual({ accepted: 0, captured: 0, refunded: 0 })
    })

    testWhere(able.cards.includes('network_token'))(
      'a network token with its cryptogram is charged, and later without one',
      async () => {
        const token = { kind: 'network_token', number: '4242424242424242', expMonth: 12, expYear: 2040 } as const
        const first = { ...token, cryptogram: 'AJkBB4OBmVFmgYFYFIGZAAAAAAA=', eci: '05', wallet: 'apple_pay' } as const
        const now = newAuthorisation({ method: { type: 'card', card: first, network: null } })
        expect(await tested.driver.authorise(now)).toMatchObject({ outcome: 'succeeded' })
        const card = { ...token, cryptogram: null, eci: null, wallet: null }
        const storedCredential = { use: 'later', reason: 'recurring', networkTransactionId: null } as const
        const later = newAuthorisation({
          method: { type: 'card', card, network: null },
          initiatedBy: 'merchant',
          storedCredential,
        })
        expect(await tested.driver.authorise(later)).toMatchObject({ outcome: 'succeeded' })
      },
    )

    describe('a refund', () => {
      testWhere(able.partialRefunds)('gives back a part, and then the rest', async () => {
        const reference = await authorised()
        const books = await booked(async () => {
          expect(await refund(reference, 500)).toEqual(done)
          expect(await refund(reference, 1_499)).toEqual(done)
        })
        expect(books).toEqual({ accepted: 0, captured: 0, refunded: 1_999 })
        expect(await refund(reference, 1)).toMatchObject({ outcome: 'refused' })
      })

      test('never gives back more than was captured', async () => {
        const reference = await authorised({ capture: 'later' })
        expect(await refund(reference, 1)).toEqual(refused('wrong_state'))
        await capture(reference, 1_000)
        expect(await refund(reference, 1_001)).toEqual(refused('amount_too_large'))
        expect(await refund(reference, 600)).toEqual(done)
        expect(await refund(reference, 401)).toEqual(refused('amount_too_large'))
        expect(await refund(reference, 400)).toEqual(done)
      })

      test('that is repeated under its id refunds once and answers the same', async () => {
        const [reference, id] = [await authorised(), newPostAuthorizationId()]
        const books = await booked(async () => {
          expect(await refund(reference, 100, id)).toEqual(await refund(reference, 100, id))
        })
        expect(books).toMatchObject({ refunded: 100 })
      })
    })

    describe('a void', () => {
      test('gives up what was set aside, which can be captured no more', async () => {
        const attempt = newAuthorisation({ capture: 'later' })
        const outcome = await tested.driver.authorise(attempt)
        const reference = 'reference' in outcome ? (outcome.reference ?? '') : ''
        expect(await voided(reference)).toEqual(done)
        expect(await capture(reference, 1)).toEqual(refused('wrong_state'))
        expect(await voided(reference)).toEqual(refused('wrong_state'))
        expect(await tested.driver.query(factsOf(attempt))).toEqual({ outcome: 'not_found' })
      })

      test('of captured money is refused', async () => {
        const now = await authorised()
        expect(await voided(now)).toEqual(refused('wrong_state'))
        const later = await authorised({ capture: 'later' })
        await capture(later, 1)
        expect(await voided(later)).toEqual(refused('wrong_state'))
      })

      test('that is repeated under its id answers the same', async () => {
        const [reference, id] = [await authorised({ capture: 'later' }), newPostAuthorizationId()]
        expect(await voided(reference, id)).toEqual(await voided(reference, id))
      })
    })

    test('an unknown authorisation can be neither captured nor refunded nor voided', async () => {
      const reference = 'pi_3NoneSuchThing0000000000'
      for (const outcome of [await capture(reference, 1), await refund(reference, 1), await voided(reference)]) {
        expect(outcome).toEqual(refused('unknown_reference'))
      }
    })

    test('in whatever order requests come, no more is refunded than captured, nor captured than authorised', async () => {
      const step = fc.record({
        kind: fc.constantFrom('capture', 'refund', 'void'),
        amount: fc.integer({ min: 1, max: 150 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
          const reference = await authorised({ amount: 100, capture: 'later' })
          let [captured, refunded] = [0, 0]
          const books = await booked(async () => {
            for (const { kind, amount } of steps) {
              const sent = { capture, refund, void: (of: string) => voided(of) }[kind]
              const { outcome } = await sent(reference, amount)
              if (outcome === 'refused') continue
              if (kind === 'capture') captured += amount
              if (kind === 'refund') refunded += amount
            }
          })
          expect(books).toEqual({ accepted: 0, captured, refunded })
          expect(captured).toBeLessThanOrEqual(100)
          expect(refunded).toBeLessThanOrEqual(captured)
        }),
        { numRuns: 20 },
      )
    })
  })
}

/** The suite for the methods of a driver other than cards. It is the whole suite of a driver without cards. */
export function methodConformance(name: string, able: Capabilities, open: () => Promise<TestedDriver>): void {
  describe(`the driver of ${name}`, () => {
    let tested: TestedDriver
    beforeAll(async () => {
      tested = await open()
    })
    testMethods(able, { tested: () => tested, booked: (work) => bookedBy(tested, work) })
  })
}

interface MethodTests {
  tested: () => TestedDriver
  booked: (work: () => Promise<unknown>) => Promise<Books>
}

function testMethods(able: Capabilities, { tested, booked }: MethodTests): void {
  for (const { method } of able.methods) {
    const begin = () =>
      newAuthorisation({
        method: otherMethods[method],
        currency: 'EUR',
        returnUrl: 'https://shop.example/back',
        buyer: { name: 'Ada Byrne', email: 'ada@example.com', billingAddress: null, ip: null },
      })

    test(`${method} waits for its buyer, takes the money once, and repeats that however often it is queried`, async () => {
      const attempt = begin()
      const books = await booked(async () => {
        const outcome = await tested().driver.authorise(attempt)
        expect(['redirect', 'pending']).toContain(outcome.outcome)
        const reference = 'reference' in outcome ? outcome.reference : null
        const query = { ...factsOf(attempt), reference }
        expect([outcome.outcome, 'not_known_yet']).toContain((await tested().driver.query(query)).outcome)
        expect(await tested().driver.authorise(attempt)).toMatchObject({ outcome: outcome.outcome, reference })
        await tested().decided?.(attempt, 'paid')
        const paid = await tested().driver.query(query)
        expect(paid).toMatchObject({ outcome: 'succeeded' })
        expect(await tested().driver.query(query)).toEqual(paid)
      })
      expect(books).toEqual({ accepted: 1, captured: 1_999, refunded: 0 })
    })

    test(`${method} that is refused takes nothing`, async () => {
      const attempt = begin()
      const books = await booked(async () => {
        const outcome = await tested().driver.authorise(attempt)
        const reference = 'reference' in outcome ? outcome.reference : null
        await tested().decided?.(attempt, 'refused')
        expect(await tested().driver.query({ ...factsOf(attempt), reference })).toMatchObject({ outcome: 'declined' })
      })
      expect(books).toEqual({ accepted: 0, captured: 0, refunded: 0 })
    })
  }
}

/** `test` if the driver claims the capability; otherwise registers nothing. */
function testWhere(claimed: boolean): (name: string, run: () => Promise<void>) => void {
  return claimed ? test : () => {}
}

/** The difference that a piece of work makes in the processor's books. */
async function bookedBy(tested: TestedDriver, work: () => Promise<unknown>): Promise<Books> {
  const before = await tested.books()
  await work()
  const after = await tested.books()
  return {
    accepted: after.accepted - before.accepted,
    captured: after.captured - before.captured,
    refunded: after.refunded - before.refunded,
  }
}
