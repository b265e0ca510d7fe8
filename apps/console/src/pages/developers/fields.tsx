import { Select } from '../../design/controls.tsx'
import { exactTime } from '../../language/values.ts'
import { useStores } from '../../shell/stores.tsx'
import { text } from './text.ts'

/** How long a former secret goes on working. */
export function Overlap({ hours, onHours }: { hours: number; onHours: (hours: number) => void }) {
  const choices = [0, 1, 24, 72, 168]
  return (
    <Select
      label={text('overlap')}
      hint={text('overlapHint')}
      value={String(hours)}
      onValue={(value) => onHours(Number(value))}
      options={choices.map((each) => ({
        value: String(each),
        name: each === 0 ? text('atOnce') : text('hours', { count: each }),
      }))}
    />
  )
}

const HOUR_MS = 3_600_000

/** When a former secret ends, in words. */
export function hoursFromNow(hours: number): string {
  return exactTime(new Date(Date.now() + hours * HOUR_MS).toISOString())
}

/** One of the account's stores, or none where that means all of them. */
export function StoreChoice(props: {
  value: string
  onValue: (storeId: string) => void
  none: string
  wrong?: string
}) {
  const { value, onValue, none, wrong } = props
  const stores = useStores()
  return (
    <Select
      label={text('store')}
      wrong={wrong}
      value={value}
      onValue={onValue}
      options={[{ value: '', name: none }, ...stores.map(({ id, name }) => ({ value: id, name }))]}
    />
  )
}
