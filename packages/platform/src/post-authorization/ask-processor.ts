import type { Payment } from '@tillwright/contract'
import { type PostAuthorization, paymentAttemptsTable } from '../ledger/index.ts'
import { inTime, type Unknown } from '../payments/index.ts'
import {
  type Driver,
  driverFor,
  type PostAuthorizationOutcome,
  processorsTable,
  withFault,
} from '../processors/index.ts'
import type { Charging } from '../routing/index.ts'
import { faultOf } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'

/** The processor that authorized a payment, and its reference for the authorization. */
export interface AuthorisedAt {
  processorId: string
  reference: string
  /** The name of its driver. */
  driver: string
}

/** @throws If no processor has: a bug of the caller, whose payment is authorized or captured. */
export async function findAuthorisation(
  { id, accountId }: Pick<Payment, 'id' | 'accountId'>,
  db: Database,
): Promise<AuthorisedAt> {
  const [row] = readAuthorisations(await db.read(selectAuthorisation, [accountId, id]))
  if (row === undefined || row.reference === null)
    throw new Error(`No processor has a reference for the payment ${id}.`)
  return { processorId: row.processor_id, reference: row.reference, driver: row.driver }
}

const selectAuthorisation = `SELECT a.processor_id, a.reference, p.driver FROM payment_attempts a
  JOIN processors p ON p.account_id = a.account_id AND p.id = a.processor_id
  WHERE a.account_id = ? AND a.payment_id = ? AND a.status = 'succeeded'`
const readAuthorisations = rowReader({
  ...pick(paymentAttemptsTable, 'processor_id', 'reference'),
  ...pick(processorsTable, 'driver'),
})

/** Asks the processor. The post-authorization operation's id makes a repetition harmless. */
export async function askPostAuthorization(
  postAuthorization: PostAuthorization,
  { payment, at }: { payment: Pick<Payment, 'accountId' | 'currency' | 'preview'>; at: AuthorisedAt },
  { services, driverOf, fault = null }: Charging,
): Promise<PostAuthorizationOutcome | Unknown> {
  const { id, paymentId } = postAuthorization
  const own = await driverFor(payment, at.processorId, driverOf)
  const driver = withFault(own, faultOf('processor', fault), services.clock)
  const { reference } = at
  return inTime(
    () => ask(postAuthorization, { reference, currency: payment.currency }, driver),
    { paymentId, id },
    services,
  )
}

function ask(
  { id, kind, amount, isFinal }: PostAuthorization,
  { reference, currency }: { reference: string; currency: string },
  driver: Driver,
): Promise<PostAuthorizationOutcome> {
  switch (kind) {
    case 'capture':
      return driver.capture({ id, reference, amount, currency, isFinal })
    case 'refund':
      return driver.refund({ id, reference, amount, currency })
    case 'void':
      return driver.void({ id, reference })
  }
}
