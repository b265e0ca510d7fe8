import { useRead } from '../../api/query.ts'
import { exactTime } from '../../language/values.ts'
import { useMay } from '../../shell/session.ts'
import { text } from './text.ts'

/** Says that the operator of the platform has taken the pages of all plugins down, where that is so. */
export function TakenDown() {
  const { data } = useRead('accounts.get', useMay()('accounts.get') ? {} : null)
  const since = data?.pagesOffSince ?? null
  return since === null ? null : <p class="remark">{text('takenDown', { since: exactTime(since) })}</p>
}
