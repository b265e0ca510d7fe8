import { type PaymentMethodType, paymentMethodType } from '@tillwright/contract'
import { type Charging, numberedCard, pickProcessor, type Route, type RoutedMethod, type Takes } from './route.ts'
import { liveTakes } from './next-attempt.ts'

/** A payment of which it is not known yet what it is made with. */
export interface UndecidedPayment extends Pick<Route, 'accountId' | 'flow' | 'currency'> {
  /** The country of the billing address, ISO 3166-1 alpha-2; `null` where it is not known. */
  country: string | null
}

/**
 * The methods that a payment can be made with now: those for which the flow finds a processor, in the order of the
 * contract, which begins with `card`. Includes `card` if at least one network is taken.
 */
export async function takenMethods(
  { accountId, ...payment }: UndecidedPayment,
  { services, circuit, capabilitiesOf }: Pick<Charging, 'services' | 'circuit' | 'capabilitiesOf'>,
): Promise<PaymentMethodType[]> {
  const processors = await liveTakes(accountId, services.db, capabilitiesOf)
  const failing = circuit.open()
  return asked.filter((type) => isTaken(type, payment, { processors, failing }))
}

/** The methods that involve a processor. */
const asked = paymentMethodType.exclude(['none']).options

interface Processors {
  processors: ReadonlyMap<string, Takes>
  failing: ReadonlySet<string>
}

function isTaken(
  type: (typeof asked)[number],
  { country, ...payment }: Omit<UndecidedPayment, 'accountId'>,
  { processors, failing }: Processors,
): boolean {
  const method: RoutedMethod = type === 'card' ? numberedCard : { type, country }
  const whichBrand = type === 'card' ? brandsOf(processors) : [type]
  const picking = { ...payment, processors, failing, method, tried: NONE, lastSuccess: 'off', draw: 0 } as const
  return whichBrand.some((brand) => pickProcessor({ ...picking, brand }).processorId !== null)
}

const NONE: ReadonlySet<string> = new Set()

/** One network of each that makes a difference: those that are named, and one that is not. */
function brandsOf(processors: ReadonlyMap<string, Takes>): readonly string[] {
  return [...new Set(['', ...[...processors.values()].flatMap(({ brands }) => brands ?? [])])]
}
