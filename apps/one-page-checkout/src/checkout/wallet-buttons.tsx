import { showWallets } from '@tillwright/plugin-sdk/wallets'
import { usePage } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Payment } from './use-payment.ts'

/** The country of the merchant, as the wallets ask for it. */
const COUNTRY = 'US'

/** Apple Pay and Google Pay, where the device has them. A page that cannot show them still takes cards. */
export function WalletButtons({ payment }: { payment: Payment }): JSX.Element {
  const page = usePage()
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(payment)
  latest.current = payment
  useEffect(() => {
    if (place.current === null) return
    const showing = showWallets(page, place.current, {
      country: COUNTRY,
      onStart: () => latest.current.mayStart(),
      prepare: () => latest.current.prepare(),
      onOutcome: (outcome) => latest.current.complete(outcome),
    }).catch(() => null)
    return () => void showing.then((wallets) => wallets?.remove())
  }, [page])
  return <div class="wallets" ref={place} />
}
