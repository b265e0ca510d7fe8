import { type Page, TillwrightError } from '@tillwright/plugin-sdk'
import { usePage } from '@tillwright/plugin-sdk/preact'
import { useState } from 'preact/hooks'
import {
  type BuyerField,
  type BuyerFields,
  checkBuyer,
  fieldOfParam,
  type FieldProblem,
  isAsked,
  isEmail,
} from './check-buyer.ts'

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
  /** Checks it. @returns Whether all is well; otherwise `problems` tell. */
  check(): boolean
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
    check,
    async send() {
      if (!check()) return false
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

  function check(): boolean {
    setSent(sent + 1)
    const found = checkBuyer(fields, { asksAddress })
    setProblems(found)
    return Object.keys(found).length === 0
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

/** The form's first values: the session's, and the buyer's country by the browser's language. */
function firstFields(
  { customer, session }: Pick<Page, 'customer' | 'session'>,
  countries: readonly string[],
): BuyerFields {
  const said = customer.get()
  const address = said?.shippingAddress
  const wanted = [address?.country, session.get().view?.preview?.previewShippingCountry, ...regions()]
  return {
    email: said?.email ?? '',
    firstName: said?.firstName ?? '',
    lastName: said?.lastName ?? '',
    country: wanted.find((country) => country && countries.includes(country)) ?? countries[0] ?? '',
    line1: address?.line1 ?? '',
    postalCode: address?.postalCode ?? '',
    city: address?.city ?? '',
    state: address?.state ?? '',
  }
}

function regions(): (string | undefined)[] {
  return navigator.languages.map((tag) => {
    try {
      return new Intl.Locale(tag).region
    } catch {
      return undefined // some browsers tell tags that are none
    }
  })
}
