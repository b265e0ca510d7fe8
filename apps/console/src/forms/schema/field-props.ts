import type { Schema } from './schema.ts'
import type { UiSchema } from './ui-schema.ts'

/** Context shared by all fields of one form. */
export interface Form {
  /** The whole schema, which references lead into. */
  root: Schema
  /** Error messages, by the path of the field. */
  wrong: ReadonlyMap<string, string>
}

/** One place of a form. */
export interface FieldProps {
  form: Form
  /** As the platform names it in errors: `look.colours[0]`. Empty for the whole. */
  place: string
  /** How many objects and lists it is in. */
  depth: number
  /** With its references followed. */
  schema: Schema
  ui: UiSchema
  /** `undefined` for a default. */
  value: unknown
  onValue: (value: unknown) => void
}

/** A field with its words. */
export interface NamedFieldProps extends FieldProps {
  label: string
  hint?: string
}
