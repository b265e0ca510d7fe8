import { useState } from 'preact/hooks'
import { Button, Input, Menu } from '../design/controls.tsx'
import { Icon } from '../design/icon.tsx'
import { useSession } from '../shell/session.ts'
import { text } from '../shell/text.ts'
import type { ListQuery } from './entries.ts'
import type { ListAddress } from './list-query.ts'

/** Filters of a list that a member has kept under a name, in this browser. */
interface SavedView {
  name: string
  query: ListQuery
}

/** The member's views of a list. */
export function SavedViews({ list, address }: { list: string; address: ListAddress }) {
  const { member } = useSession()
  const place = `tillwright.views.${member.id}.${list}`
  const [views, setViews] = useState(() => readViews(place))
  const [name, setName] = useState('')
  const keep = (next: readonly SavedView[]) => {
    localStorage.setItem(place, JSON.stringify(next))
    setViews(next)
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    keep([...views.filter((view) => view.name !== name), { name, query: address.query }])
    setName('')
  }
  return (
    <Menu label={text('list.views')}>
      <div class="views">
        {views.length === 0 && <p class="hint">{text('list.noViews')}</p>}
        <ul>
          {views.map((view) => (
            <li key={view.name}>
              <Button kind="plain" onClick={() => address.replace(view.query)}>
                {view.name}
              </Button>
              <Button kind="plain" onClick={() => keep(views.filter((each) => each !== view))}>
                <Icon name="close" />
                <span class="hidden-text">{text('list.deleteView', { name: view.name })}</span>
              </Button>
            </li>
          ))}
        </ul>
        <form onSubmit={save}>
          <Input label={text('list.viewName')} required maxLength={40} value={name} onValue={setName} />
          <Button type="submit">{text('list.saveView')}</Button>
        </form>
      </div>
    </Menu>
  )
}

function readViews(place: string): readonly SavedView[] {
  const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
  return Array.isArray(kept) ? kept : []
}
