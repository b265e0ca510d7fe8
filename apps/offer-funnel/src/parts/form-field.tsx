import type { ComponentProps, JSX } from 'preact'
import type { BuyerField } from '../checkout/check-buyer.ts'
import type { BuyerForm } from '../checkout/use-buyer-form.ts'
import { useTexts } from '../flow/funnel-context.ts'
import { Field } from './field.tsx'

type FormFieldProps = Omit<ComponentProps<typeof Field>, 'label' | 'name' | 'value' | 'problem' | 'onValue'> & {
  form: BuyerForm
  field: BuyerField
}

/** A field of the buyer's form. */
export function FormField({ form, field, ...more }: FormFieldProps): JSX.Element {
  const texts = useTexts()
  const problem = form.problems[field]
  return (
    <Field
      {...more}
      label={texts[field]}
      name={field}
      value={form.fields[field]}
      problem={problem === undefined ? '' : texts[problem]}
      onValue={(value) => form.set(field, value)}
    />
  )
}
