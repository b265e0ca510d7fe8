import { useEffect } from 'preact/hooks'
import type { SessionPayment } from '@tillwright/plugin-sdk'
import { useLocale, usePage, usePay, useText } from '@tillwright/plugin-sdk/preact'
import { texts } from '../texts.ts'

/** In the place of the form: a payment that waits for its buyer or for a bank, which takes minutes or days. */
export function Waiting({ payment, goOn }: { payment: SessionPayment; goOn: () => Promise<void> }) {
  const page = usePage()
  const { status } = usePay()
  const t = useText()
  const { nextAction, paymentMethod } = payment
  const { sepaDebit, voucher } = paymentMethod

  async function check(): Promise<void> {
    await page.pay.resume()
    if (page.order.get()?.status === 'paid') await goOn()
  }

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void check() // back from a till or a bank
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [page])

  if (nextAction?.type === 'redirect') {
    return (
      <div className="waiting">
        <p role="status">{t(texts.unfinished)}</p>
        <a href={nextAction.url}>{t(texts.toBank)}</a>
      </div>
    )
  }
  return (
    <div className="waiting">
      <p role="status">
        {t(sepaDebit ? texts.debitWaits : voucher ? texts.voucherWaits : texts.pending, {
          last4: sepaDebit?.ibanLast4 ?? '',
          mandate: sepaDebit?.mandateReference ?? '',
        })}
      </p>
      {voucher && <Voucher {...voucher} />}
      <button type="button" aria-disabled={status !== 'idle'} onClick={() => void check()}>
        {t(texts.checkAgain)}
      </button>
    </div>
  )
}

/** A voucher's code, its page and when it expires. */
function Voucher({ code, url, expiresAt }: NonNullable<SessionPayment['paymentMethod']['voucher']>) {
  const locale = useLocale()
  const t = useText()
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(expiresAt))
  return (
    <>
      <p className="voucher-code">{code}</p>
      <p>{t(texts.voucherUntil, { until })}</p>
      {url && (
        <a href={url} target="_blank" rel="noreferrer">
          {t(texts.voucherOpen)}
        </a>
      )}
    </>
  )
}
