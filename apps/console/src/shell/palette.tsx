import { useLocation } from 'preact-iso'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { consoleUrl } from './navigation.ts'
import { pagesNamed, recentFinds, remember, searchEverything, type Find } from './search.ts'
import { useSession } from './session.ts'
import { text } from './text.ts'

/** How long typing has to pause before the platform is asked. */
const PAUSE_MS = 120

/** Finds anything by what people have at hand, and goes there. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const { operations, member } = useSession()
  const element = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = useFound(typed, operations)
  const finds = useMemo(
    () =>
      typed.trim() === ''
        ? [...recentFinds(member.id), ...pagesNamed('', operations)]
        : [...pagesNamed(typed, operations), ...found.finds],
    [typed, found, operations, member.id],
  )
  useEffect(() => element.current?.showModal(), [])
  const go = (find: Find | undefined) => {
    if (find === undefined) return
    remember(find, member.id)
    onClose()
    route(consoleUrl(find.path))
  }
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) {
      event.preventDefault()
      setAt((at + by + finds.length) % Math.max(finds.length, 1))
    } else if (event.key === 'Enter') go(finds[at])
  }
  return (
    <dialog
      ref={element}
      class="dialog palette"
      aria-label={text('search')}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) element.current?.close()
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-expanded={finds.length > 0}
        aria-controls="finds"
        aria-activedescendant={finds.length > 0 ? `find-${at}` : undefined}
        aria-label={text('search')}
        placeholder={text('searchHint')}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={move}
      />
      <FindList finds={finds} at={at} onMove={setAt} onChoose={go} />
      <p class="empty" role="status" hidden={finds.length > 0 || found.isRunning || typed.trim() === ''}>
        {text('nothingFound')}
      </p>
    </dialog>
  )
}

interface FindListProps {
  finds: readonly Find[]
  at: number
  onMove: (to: number) => void
  onChoose: (find: Find) => void
}

function FindList({ finds, at, onMove, onChoose }: FindListProps) {
  return (
    <ul id="finds" role="listbox" aria-label={text('search')}>
      {finds.map((find, index) => (
        <li
          key={find.path}
          id={`find-${index}`}
          role="option"
          aria-selected={index === at}
          onPointerMove={() => onMove(index)}
          onClick={() => onChoose(find)}
        >
          <span class="what">{find.title}</span>
          <span class="side-note">{find.note}</span>
        </li>
      ))}
    </ul>
  )
}

function useFound(typed: string, operations: readonly string[]): { finds: readonly Find[]; isRunning: boolean } {
  const [found, setFound] = useState<{ of: string; finds: readonly Find[] }>({ of: '', finds: [] })
  const q = typed.trim()
  useEffect(() => {
    if (q === '') return
    const stopping = new AbortController()
    const timer = setTimeout(async () => {
      const finds = await searchEverything(q, operations, stopping.signal)
      if (!stopping.signal.aborted) setFound({ of: q, finds })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [q])
  return { finds: q === '' ? [] : found.finds, isRunning: found.of !== q }
}
