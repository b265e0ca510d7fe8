import { useRead, useReads } from '../api/query.ts'
import { consoleUrl } from './navigation.ts'
import { chooseStore, storeOf, useMay, useSession } from './session.ts'
import { text } from './text.ts'

/** The longest list of stores that is offered. */
const STORES = 100

/** The stores that a member may choose from; none until they are read, and for whom may read none. */
export function useStores(): readonly { id: string; name: string }[] {
  const may = useMay()
  const own = useSession().member.storeIds
  const listed = useRead('stores.list', own === null && may('stores.list') ? { limit: STORES } : null)
  const named = useReads('stores.get', may('stores.get') && own !== null ? own.map((storeId) => ({ storeId })) : [])
  return own === null ? (listed.data?.data ?? []) : (named.data ?? own.map((id) => ({ id, name: id })))
}

/** For a member of some stores: which of them all pages are about. */
export function OwnStore() {
  const session = useSession()
  const stores = useStores()
  const storeId = storeOf(session)
  if (storeId === null) return null
  const [only, another] = stores
  if (another === undefined) {
    return (
      <p class="own-store">
        <a href={consoleUrl(`/stores/${storeId}`)}>{only?.name ?? storeId}</a>
      </p>
    )
  }
  return (
    <p class="own-store">
      <select
        class="input"
        aria-label={text('filter.storeId')}
        value={storeId}
        onChange={({ currentTarget }) => chooseStore(session, currentTarget.value)}
      >
        {stores.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </p>
  )
}
