import { useLocale } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { AddressKind, FieldName } from '../form/complaints-of.ts'
import { FieldNotes, noteIds } from '../form/field-notes.tsx'
import { TextField } from '../form/text-field.tsx'
import type { Form } from '../form/use-form.ts'
import type { Texts } from '../texts/languages.ts'
import { useWords } from '../texts/use-words.tsx'
import type { AddressField, AddressFormat } from './address-format.ts'
import { formatOf, subdivisionsOf } from './regions.ts'

/** Autofill token by field. Source: HTML, "Autofill". */
const autofill: Readonly<Record<AddressField, string>> = {
  firstName: 'given-name',
  lastName: 'family-name',
  line1: 'address-line1',
  line2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  postalCode: 'postal-code',
}

/** An address of the form. */
export interface AddressFieldsProps {
  kind: AddressKind
  form: Form
  /** The countries to choose from, ISO 3166-1 alpha-2. */
  countries: readonly string[]
}

/** The fields of an address, as its country writes them; the country first, because the others depend on it. */
export function AddressFields({ kind, form, countries }: AddressFieldsProps): JSX.Element {
  const say = useWords()
  const locale = useLocale()
  const country = form.draft[kind].country ?? ''
  const named = useNamedCountries(countries, country, locale)
  const format = formatOf(country)
  return (
    <>
      <ChoiceField
        form={form}
        name={`${kind}.country`}
        label={say('country')}
        value={country}
        options={named}
        autoComplete={`${kind} country`}
        isRequired
        onChange={(code) => form.changeAddress(kind, { country: code, state: '' })}
      />
      {format.rows.map((row) => (
        <div class="row" key={row.join()}>
          {row.map((field) => (
            <OneField key={field} {...{ field, kind, form, format }} />
          ))}
        </div>
      ))}
    </>
  )
}

interface OneFieldProps extends Omit<AddressFieldsProps, 'countries'> {
  field: AddressField
  format: AddressFormat
}

function OneField({ field, kind, form, format }: OneFieldProps): JSX.Element {
  const say = useWords()
  const typed = form.draft[kind]
  const { country = '' } = typed
  const states = useMemo(
    () => (field === 'state' && format.hasStateList ? subdivisionsOf(country) : null),
    [field, format, country],
  )
  const shared = {
    form,
    name: `${kind}.${field}`,
    label: say(labelOf(field, format)),
    value: typed[field] ?? '',
    autoComplete: `${kind} ${autofill[field]}`,
    isRequired: format.required.has(field),
    onChange: (text: string) => form.changeAddress(kind, { [field]: text }),
  } as const
  if (states !== null) return <ChoiceField {...shared} options={states} />
  const isNumeric = field === 'postalCode' && format.postal.isNumeric
  return <TextField {...shared} inputMode={isNumeric ? 'numeric' : 'text'} />
}

/** The label of a field in a country, as a key of the texts. */
export function labelOf(field: AddressField, { postal, state, city }: AddressFormat): keyof Texts {
  switch (field) {
    case 'postalCode':
      return `postal${postal.word}`
    case 'state':
      return `state${state}`
    case 'city':
      return `city${city}`
    case 'firstName':
    case 'lastName':
    case 'line1':
    case 'line2':
      return field
  }
}

/** A country with its name in some language. */
export interface NamedCountry {
  code: string
  name: string
}

/**
 * The countries to choose from, by name. The first view has the chosen one alone: to name, sort and draw 250 is half of
 * what a slow telephone is busy with, and the list is not opened before the page is there.
 */
function useNamedCountries(countries: readonly string[], chosen: string, locale: string): readonly NamedCountry[] {
  const [isShown, setShown] = useState(false)
  useEffect(() => setShown(true), []) // runs once the first view is painted
  const first = isShown ? null : chosen
  return useMemo(
    () => nameCountries(first === null ? countries : countries.filter((code) => code === first), locale),
    [countries, first, locale],
  )
}

/**
 * Names countries in a language, in the order of its alphabet. The browser knows the names.
 *
 * @param codes ISO 3166-1 alpha-2.
 * @param locale BCP 47.
 */
function nameCountries(codes: readonly string[], locale: string): NamedCountry[] {
  const names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' })
  const named = codes.map((code) => ({ code, name: names.of(code) ?? code }))
  const { compare } = new Intl.Collator(locale) // one for all of them: `localeCompare` makes one each time
  return named.toSorted((one, other) => compare(one.name, other.name))
}

/** One of a list. */
export interface ChoiceFieldProps {
  form: Form
  name: FieldName
  label: string
  value: string
  options: readonly { code: string; name: string }[]
  onChange: (code: string) => void
  autoComplete: string
  isRequired: boolean
}

/** A field whose value is chosen from a list. */
function ChoiceField(props: ChoiceFieldProps): JSX.Element {
  const { form, name, label, value, options, onChange, autoComplete, isRequired } = props
  const say = useWords()
  const complaint = form.complaintAt(name)
  const isKnown = options.some(({ code }) => code === value)
  // The same elements again are not compared one by one, which with every letter of a field would be 250.
  const shown = useMemo(
    () =>
      options.map(({ code, name: text }) => (
        <option key={code} value={code}>
          {text}
        </option>
      )),
    [options],
  )
  return (
    <div class="field">
      <label for={name}>{isRequired ? label : say('optional', { label })}</label>
      <select
        id={name}
        name={name}
        value={isKnown ? value : ''}
        autocomplete={autoComplete}
        required={isRequired}
        aria-invalid={complaint !== null}
        aria-describedby={noteIds(name, undefined, complaint)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={() => form.leave(name)}
      >
        {!isKnown && <option value="">{say('choose')}</option>}
        {shown}
      </select>
      <FieldNotes name={name} hint={undefined} complaint={complaint} />
    </div>
  )
}
