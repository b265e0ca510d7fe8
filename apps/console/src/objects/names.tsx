import type { Contract, ResponseOf } from '@tillwright/contract'
import { brandTitle } from '@tillwright/contract/networks'
import { useRead } from '../api/query.ts'
import { Copy } from '../design/controls.tsx'
import { Bone } from '../design/states.tsx'
import { useMay } from '../shell/session.ts'

type Customer = Pick<ResponseOf<Contract['customers']['get']>, 'email' | 'firstName' | 'lastName' | 'id'>
type Payment = ResponseOf<Contract['payments']['get']>
type Card = ResponseOf<Contract['paymentInstruments']['get']>['card']

/** Display name of a customer: the e-mail address, else the name, else the id. */
export function customerName({ email, firstName, lastName, id }: Customer): string {
  return email || `${firstName} ${lastName}`.trim() || id
}

/** A customer by the e-mail address, where the member may read it. */
export function CustomerLink({ id }: { id: string }) {
  const isAllowed = useMay()('customers.get')
  const { data, error } = useRead('customers.get', isAllowed ? { customerId: id } : null)
  if (!isAllowed) return <Copy value={id} />
  if (data === undefined && error === null) return <Bone />
  return <a href={`/console/customers/${id}`}>{data === undefined ? id : customerName(data)}</a>
}

/** A card by its network and last four digits, where the member may read it. A deleted one has its id alone. */
export function CardName({ id }: { id: string }) {
  const isAllowed = useMay()('paymentInstruments.get')
  const { data, error } = useRead('paymentInstruments.get', isAllowed ? { paymentInstrumentId: id } : null)
  if (isAllowed && data === undefined && error === null) return <Bone />
  return data === undefined ? <Copy value={id} /> : <>{cardName(data.card)}</>
}

/** Method of a payment: its card, or the name of another method. */
export function PaidWith({ payment }: { payment: Pick<Payment, 'paymentInstrumentId' | 'paymentMethod'> }) {
  const { paymentInstrumentId: id, paymentMethod } = payment
  const { type } = paymentMethod
  return type === 'card' && id !== null ? <CardName id={id} /> : <>{methodNames[type]}</>
}

/** Names that are the same in every language. */
const methodNames: Readonly<Record<Payment['paymentMethod']['type'], string>> = {
  card: '',
  ideal: 'iDEAL',
  paypal: 'PayPal',
  sepa_debit: 'SEPA',
  voucher: 'Voucher',
  none: '–',
}

/** A card as people know it: `Visa 4242`. */
export function cardName({ brand, last4 }: Card): string {
  return `${brandTitle(brand)} ${last4}`
}

/** The merchant's name for a processor; its id where the member may not read it. */
export function useProcessorName(id: string): string {
  const { data } = useRead('processors.get', useMay()('processors.get') ? { processorId: id } : null)
  return data?.name ?? id
}

/** A processor by the name that the merchant gave it. */
export function ProcessorName({ id }: { id: string }) {
  return <>{useProcessorName(id)}</>
}

/** A store by its name, which leads to its page; by its id where the member may not read it. */
export function StoreLink({ id }: { id: string }) {
  const isAllowed = useMay()('stores.get')
  if (!isAllowed) return <Copy value={id} />
  return (
    <a href={`/console/stores/${id}`}>
      <StoreName id={id} />
    </a>
  )
}

/** A store by its name; by its id where the member may not read it. */
export function StoreName({ id }: { id: string }) {
  const { data } = useRead('stores.get', useMay()('stores.get') ? { storeId: id } : null)
  return <>{data?.name ?? id}</>
}

/** A payment flow by its name, where the member may read it. */
export function FlowLink({ id }: { id: string }) {
  const isAllowed = useMay()('paymentFlows.get')
  const { data } = useRead('paymentFlows.get', isAllowed ? { paymentFlowId: id } : null)
  return isAllowed ? <a href={`/console/flows/${id}`}>{data?.name ?? id}</a> : <Copy value={id} />
}
