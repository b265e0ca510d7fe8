import { ObjectFields } from './fields.tsx'
import type { JsonObject } from './json.ts'
import { appliedSchema, type Schema } from './schema.ts'
import './schema-form.css'
import type { UiSchema } from './ui-schema.ts'

interface SchemaFormProps {
  /** The JSON Schema of an object, as its author wrote it. */
  schema: Schema
  /** How the author wants it shown. */
  uiSchema?: UiSchema
  value: JsonObject
  onValue: (value: JsonObject) => void
  /** Validation errors of the platform, by the paths of the fields as it names them: `rows[0].colour`. */
  wrong?: ReadonlyMap<string, string>
  isReadOnly?: boolean
}

const nothing: ReadonlyMap<string, string> = new Map()

/**
 * A form made from a JSON Schema: a control for each of its properties. What is not in the value shows the schema's default and
 * is sent once it is touched. Whether a value is allowed is for the platform to say, which knows all of the schema.
 */
export function SchemaForm({
  schema,
  uiSchema = {},
  value,
  onValue,
  wrong = nothing,
  isReadOnly = false,
}: SchemaFormProps) {
  const form = { root: schema, wrong }
  return (
    <fieldset class="schema" disabled={isReadOnly}>
      <ObjectFields
        form={form}
        place=""
        depth={0}
        schema={appliedSchema(schema, value, schema)}
        ui={uiSchema}
        value={value}
        onValue={onValue}
      />
    </fieldset>
  )
}
