import type { JSX } from 'preact'
import { TextField } from '../form/text-field.tsx'
import type { Form } from '../form/use-form.ts'
import { useSettings } from '../look/use-settings.ts'
import { useWords } from '../texts/use-words.tsx'

/** Who buys. */
export function ContactSection({ form }: { form: Form }): JSX.Element {
  const { phone } = useSettings()
  const say = useWords()
  return (
    <section class="section" aria-labelledby="contact-heading">
      <h2 id="contact-heading">{say('contact')}</h2>
      <TextField
        form={form}
        name="email"
        label={say('email')}
        value={form.draft.email}
        inputMode="email"
        autoComplete="email"
        isRequired
        hint={say('emailHint')}
        onChange={(email) => form.change({ email })}
      />
      {phone !== 'hidden' && (
        <TextField
          form={form}
          name="phone"
          label={say('phone')}
          value={form.draft.phone}
          inputMode="tel"
          autoComplete="tel"
          isRequired={phone === 'required'}
          onChange={(typed) => form.change({ phone: typed })}
        />
      )}
    </section>
  )
}
