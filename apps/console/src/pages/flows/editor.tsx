import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Input, Select } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Check } from '../../forms/fields.tsx'
import { differencesOf, type Revision, Save, useTyped } from '../../forms/save.tsx'
import { text as forms } from '../../forms/text.ts'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { ExemptionFields } from './exemptions.tsx'
import { Picture } from './picture.tsx'
import { ProcessorFields } from './processor-fields.tsx'
import { Replay } from './replay.tsx'
import { text } from './text.ts'
import { bounds, readFlow, readNumber, type TypedFlow, typedFlow, type TypedLimits } from './typed.ts'
import { describeFlow, type FlowDetails, type Further, furtherOf, limitFields, type NamedProcessor } from './words.ts'

interface EditorProps {
  flow: FlowDetails
  processors: readonly NamedProcessor[]
  onClose: () => void
}

/** A form for a flow, with its picture as it would be, and what would change. */
export function FlowEditor({ flow, processors, onClose }: EditorProps) {
  const may = useMay()
  const { base, typed, setTyped, onTake } = useTyped(flow, typedFlow)
  const read = readFlow(typed, base)
  const mine = { ...base, ...read }
  const describe = (each: FlowDetails) => describeFlow(each, processors)
  const differences = differencesOf(describe(base), describe(mine))
  const change = useChange(async ({ revision }: Revision<FlowDetails>, options) => {
    if (read !== null) await api.paymentFlows.update({ paymentFlowId: flow.id, ...read, revision }, options)
  }, affects)
  const set = (fields: Partial<TypedFlow>) => setTyped({ ...typed, ...fields })
  return (
    <div class="columns even">
      <div class="stack">
        <Section title={text('routing')}>
          <Picture flow={mine} processors={processors} />
        </Section>
        {may('paymentFlows.replay') && (
          <Replay draft={read === null ? null : mine} paymentFlowId={flow.id} processors={processors} />
        )}
      </div>
      <Section title={forms('edit')}>
        <div class="form">
          <Fields typed={typed} set={set} processors={processors} />
          <h3>{text('changes')}</h3>
          {differences.length === 0 ? <p class="hint">{text('changes.none')}</p> : <Differences of={differences} />}
          <p class="hint">{text('changes.effect')}</p>
          <Save
            change={change}
            base={base}
            mine={mine}
            describe={describe}
            label={shared('save')}
            disabled={read === null || differences.length === 0}
            onClose={onClose}
            onTake={onTake}
          />
        </div>
      </Section>
    </div>
  )
}

const affects = ['paymentFlows.']

function Differences({ of: differences }: { of: ReturnType<typeof differencesOf> }) {
  return (
    <ul class="differences">
      {differences.map(({ label, mine: before, theirs: after }) => (
        <li key={label}>
          <span>{label}</span> {before !== '' && <del>{before}</del>} {after !== '' && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  )
}

interface FieldsProps {
  typed: TypedFlow
  set: (fields: Partial<TypedFlow>) => void
  processors: readonly NamedProcessor[]
}

function Fields({ typed, set, processors }: FieldsProps) {
  const further = furtherOf(typed)
  const isWeighted = typed.pickProcessorStrategy === 'weighted'
  return (
    <>
      <Input label={text('name')} maxLength={255} required value={typed.name} onValue={(name) => set({ name })} />
      <Select
        label={text('pick')}
        value={typed.pickProcessorStrategy}
        options={(['weighted', 'ordered'] as const).map((each) => ({ value: each, name: text(`pick.${each}`) }))}
        onValue={(value) => set({ pickProcessorStrategy: value === 'ordered' ? 'ordered' : 'weighted' })}
      />
      <ProcessorFields
        title={text('first')}
        value={typed.processorConfigs}
        onValue={(processorConfigs) => set({ processorConfigs })}
        processors={processors}
        isWeighted={isWeighted}
        least={1}
      />
      <Select
        label={text('further')}
        value={further}
        options={(['none', 'retry', 'ineligible'] as const).map((each) => ({
          value: each,
          name: text(`further.${each}`),
        }))}
        onValue={(value) => set(afterFailure(value as Further, typed))} // One of the options.
      />
      {further === 'retry' && (
        <NumberInput
          field="maxFallbackRetries"
          label={text('retries')}
          value={typed.maxFallbackRetries}
          onValue={(maxFallbackRetries) => set({ maxFallbackRetries })}
        />
      )}
      {further !== 'none' && (
        <ProcessorFields
          title={text('fallback')}
          value={typed.fallbackProcessorConfigs}
          onValue={(fallbackProcessorConfigs) => set({ fallbackProcessorConfigs })}
          processors={processors}
          isWeighted={isWeighted}
          least={0}
        />
      )}
      <Switches typed={typed} set={set} />
      <ExemptionFields value={typed.exemptionPolicy} onValue={(exemptionPolicy) => set({ exemptionPolicy })} />
      <LimitFields value={typed.limits} onValue={(limits) => set({ limits })} />
    </>
  )
}

function Switches({ typed, set }: Pick<FieldsProps, 'typed' | 'set'>) {
  return (
    <>
      <Check
        label={text('threedsField')}
        isChecked={typed.threeDsEnabled}
        onChange={(threeDsEnabled) => set({ threeDsEnabled })}
      />
      <Check
        label={text('sticky')}
        isChecked={typed.stickyProcessorEnabled}
        onChange={(stickyProcessorEnabled) => set({ stickyProcessorEnabled })}
      />
    </>
  )
}

/** A flow that begins to try others tries one more, unless it says how many. */
function afterFailure(further: Further, { maxFallbackRetries }: TypedFlow): Partial<TypedFlow> {
  if (further === 'none') return { strategy: 'simple' }
  if (further === 'ineligible') return { strategy: 'cascade', fallbackMode: false }
  const retries = maxFallbackRetries === '0' ? '1' : maxFallbackRetries
  return { strategy: 'cascade', fallbackMode: true, maxFallbackRetries: retries }
}

function LimitFields({ value, onValue }: { value: TypedLimits; onValue: (value: TypedLimits) => void }) {
  return (
    <>
      <Check
        label={text('limits.enabled')}
        isChecked={value.enabled}
        onChange={(enabled) => onValue({ ...value, enabled })}
      />
      {value.enabled && (
        <div class="fields">
          {limitFields.map((field) => (
            <NumberInput
              key={field}
              field={field}
              label={text(field)}
              value={value[field]}
              onValue={(typed) => onValue({ ...value, [field]: typed })}
            />
          ))}
          <Select
            label={text('action')}
            value={value.action}
            options={actions.map((each) => ({ value: each, name: text(`action.${each}`) }))}
            onValue={(chosen) => onValue({ ...value, action: actions.find((each) => each === chosen) ?? 'block' })}
          />
        </div>
      )}
    </>
  )
}

const actions = ['block', 'challenge_3ds', 'flag'] as const

interface NumberInputProps {
  field: keyof typeof bounds
  label: string
  value: string
  onValue: (value: string) => void
}

function NumberInput({ field, label, value, onValue }: NumberInputProps) {
  const [least, most] = bounds[field]
  const wrong = readNumber(value, field) === null ? text('wrong', { least, most }) : undefined
  return <Input label={label} inputMode="numeric" wrong={wrong} value={value} onValue={onValue} />
}
