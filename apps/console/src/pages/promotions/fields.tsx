import { useRead } from '../../api/query.ts'
import { Input, Select } from '../../design/controls.tsx'
import { Amounts, Check, TimeInput } from '../../forms/fields.tsx'
import { useMay } from '../../shell/session.ts'
import { text } from './text.ts'
import { areDatesWrong, type Kind, kinds, readLimit, readPercentage, type TypedPromotion } from './typed.ts'

interface PromotionFieldsProps {
  value: TypedPromotion
  onValue: (value: TypedPromotion) => void
  storeId: string
  /** Summary of a discount that was set by the API and has no form; offered as it is. */
  other?: string
}

/** A form for a promotion of the common kinds. */
export function PromotionFields({ value, onValue, storeId, other }: PromotionFieldsProps) {
  const set = (fields: Partial<TypedPromotion>) => onValue({ ...value, ...fields })
  const offered = kinds.filter((each) => each !== 'asItIs' || other !== undefined)
  return (
    <>
      <Input
        label={text('name')}
        hint={text('nameHint')}
        maxLength={255}
        required
        value={value.name}
        onValue={(name) => set({ name })}
      />
      <Select
        label={text('kind')}
        value={value.kind}
        options={offered.map((each) => ({ value: each, name: text(`kind.${each}`, { words: other ?? '' }) }))}
        onValue={(kind) => set({ kind: kind as Kind })} // One of the options.
      />
      <Discount value={value} set={set} storeId={storeId} />
      <Input
        label={text('code')}
        hint={text('codeHint')}
        maxLength={255}
        value={value.code}
        onValue={(code) => set({ code })}
      />
      <Check label={text('automatic')} isChecked={value.automatic} onChange={(automatic) => set({ automatic })} />
      <TimeInput label={text('startDate')} value={value.startDate} onValue={(startDate) => set({ startDate })} />
      <TimeInput
        label={text('endDate')}
        wrong={areDatesWrong(value) ? text('wrongDates') : undefined}
        value={value.endDate}
        onValue={(endDate) => set({ endDate })}
      />
      <Input
        label={text('usageLimit')}
        hint={text('usageLimitHint')}
        wrong={readLimit(value.usageLimit) === 'wrong' ? text('wrongLimit') : undefined}
        inputMode="numeric"
        value={value.usageLimit}
        onValue={(usageLimit) => set({ usageLimit })}
      />
      <Check label={text('enabled')} isChecked={value.enabled} onChange={(enabled) => set({ enabled })} />
    </>
  )
}

interface DiscountProps {
  value: TypedPromotion
  set: (fields: Partial<TypedPromotion>) => void
  storeId: string
}

function Discount({ value, set, storeId }: DiscountProps) {
  const { kind, percentage } = value
  if (kind === 'asItIs' || kind === 'freeShipping') return null
  return (
    <>
      {kind === 'orderPercentage' || kind === 'linePercentage' ? (
        <Input
          label={text('percentage')}
          inputMode="decimal"
          wrong={readPercentage(percentage) === null ? text('wrongPercentage') : undefined}
          value={percentage}
          onValue={(typed) => set({ percentage: typed })}
        />
      ) : (
        <Amounts value={value.amounts} onValue={(amounts) => set({ amounts })} />
      )}
      {(kind === 'linePercentage' || kind === 'lineAmount') && (
        <TargetSelect storeId={storeId} value={value.target} onValue={(target) => set({ target })} />
      )}
    </>
  )
}

interface TargetProps {
  storeId: string
  value: string
  onValue: (productId: string) => void
}

/** A field for one product of the store, or all. One that is not among the first is kept by its id. */
function TargetSelect({ storeId, value, onValue }: TargetProps) {
  const isAllowed = useMay()('products.list') && storeId !== ''
  const read = useRead('products.list', isAllowed ? { storeId, limit: 100 } : null)
  const products = (read.data?.data ?? []).map(({ id, name }) => ({ value: id, name }))
  const isListed = value === '' || products.some((each) => each.value === value)
  return (
    <Select
      label={text('target')}
      value={value}
      onValue={onValue}
      options={[{ value: '', name: text('everyProduct') }, ...products, ...(isListed ? [] : [{ value, name: value }])]}
    />
  )
}
