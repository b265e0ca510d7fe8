import { useState } from 'preact/hooks'
import { TillwrightError } from '@tillwright/plugin-sdk'
import { usePage } from '@tillwright/plugin-sdk/preact'
import {
  checkBuyer,
  fieldOfParam,
  isAsked,
  isEmail,
  type BuyerField,
  type BuyerFields,
  type FieldProblem,
} from './check-buyer.ts'
import { firstFields } from './first-fields.ts'

type Asked = Tillwright.Config['checkout']

/** The buyer's input at the checkout, and its problems. */
export interface BuyerForm {
  fields: BuyerFields
  problems: Partial<Record<BuyerField, FieldProblem>>
  set(field: BuyerField, value: string): void
  /** How often it was sent, so that the first problem can be shown each time. */
  sent: number
  /** Keeps what there is, so that it is there after a reload. */
  keep(): void
  /** Checks it and says it to the platform. @returns Whether all is well; otherwise `problems` tell, unless it throws. */
  send(): Promise<boolean>
}

/** The form of the checkout, which begins with what the session knows. */
export function useBuyerForm({ asksAddress, countries }: Asked): BuyerForm {
  const page = usePage()
  const [fields, setFields] = useState(() => firstFields(page, countries))
  const [problems, setProblems] = useState<BuyerForm['problems']>({})
  const [sent, setSent] = useState(0)

  return {
    fields,
    problems,
    sent,
    set(field, value) {
      setFields((all) => ({ ...all, [field]: value }))
      setProblems(({ [field]: _, ...others }) => others)
    },
    keep() {
      if (isEmail(fields.email)) void say().catch(() => {}) // it is said again before the payment
    },
    async send() {
      setSent(sent + 1)
      const found = checkBuyer(fields, { asksAddress })
      setProblems(found)
      if (Object.keys(found).length > 0) return false
      try {
        await say()
        return true
      } catch (error) {
        const field = error instanceof TillwrightError ? fieldOfParam(error.param) : null
        if (field === null) throw error
        setProblems({ [field]: 'fieldInvalid' })
        setSent(sent + 2)
        return false
      }
    },
  }

  async function say(): Promise<void> {
    const { email, firstName, lastName, country, line1, postalCode, city, state } = fields
    await page.customer.setContact({ email: email.trim(), firstName: firstName.trim(), lastName: lastName.trim() })
    if (!asksAddress) return
    const of = (field: BuyerField, text: string) => (isAsked(field, country) ? text.trim() : '')
    const address = {
      country,
      line1: line1.trim(),
      postalCode: of('postalCode', postalCode),
      city: city.trim(),
      state: of('state', state),
    }
    await page.customer.setAddress({ shippingAddress: address })
  }
}
