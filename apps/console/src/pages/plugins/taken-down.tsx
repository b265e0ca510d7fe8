import { useRead } from '../../api/query.ts'
import { exactTime } from '../../language/values.ts'
import { useMay } from '../../shell/session.ts'
import { text } from './text.ts'
import type { StorePlugin } from './words.ts'

/** Says that the operator of the platform has taken the pages of all plugins down, or the shop those of this one, where that is so. */
export function TakenDown({ plugin }: { plugin?: StorePlugin }) {
  const { data } = useRead('accounts.get', useMay()('accounts.get') ? {} : null)
  const since = data?.pagesOffSince ?? null
  const offlineSince = plugin?.active?.offlineSince ?? null
  if (since !== null) return <p class="remark">{text('takenDown', { since: exactTime(since) })}</p>
  return offlineSince === null ? null : <p class="remark">{text('isOffline', { since: exactTime(offlineSince) })}</p>
}
