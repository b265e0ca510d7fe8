import { useLocation } from 'preact-iso'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { actionsNamed, type Asked, askedFor, knownObjects, searchObjects } from './actions.ts'
import { consoleUrl } from './navigation.ts'
import { type Find, pagesNamed, recentFinds, remember, requestNamed, searchEverything } from './search.ts'
import { useSession } from './session.ts'
import { text } from './text.ts'

/** How long typing has to pause before the platform is asked. */
const PAUSE_MS = 120

/** Finds anything by what people have at hand, and goes there; with an action before it, its page opens that dialog. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const { operations, member } = useSession()
  const element = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const asked = useMemo(() => askedFor(typed, operations), [typed, operations])
  const found = useFound(typed, asked, operations)
  const finds = useMemo(() => {
    if (typed.trim() === '') return [...recentFinds(member.id), ...pagesNamed('', operations)]
    const named = [...actionsNamed(typed, operations), ...pagesNamed(typed, operations)]
    if (asked === null) return [...requestNamed(typed, operations), ...named, ...found.finds]
    return [...distinct([...knownObjects(asked, member.id), ...found.finds]), ...named]
  }, [typed, asked, found, operations, member.id])
  useEffect(() => element.current?.showModal(), [])
  const go = (find: Find | undefined) => {
    if (find === undefined) return
    remember(find, member.id)
    onClose()
    route(consoleUrl(find.asks === undefined ? find.path : `${find.path}?do=${find.asks}`))
  }
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) {
      event.preventDefault()
      setAt((at + by + finds.length) % Math.max(finds.length, 1))
    } else if (event.key === 'Enter') go(finds[at])
  }
  const said = found.isRunning || typed.trim() === '' ? null : words(asked, finds)
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
      <Said words={said} />
    </dialog>
  )
}

function keyOf({ path, asks = '' }: Find): string {
  return `${path} ${asks}`
}

/** Removes duplicates. A find by id is there at once, and keeps its place when the search finds it with a name. */
function distinct(finds: readonly Find[]): readonly Find[] {
  return [...new Map(finds.map((find) => [keyOf(find), find])).values()]
}

function Said({ words: said }: { words: string | null }) {
  return (
    <p class="empty" role="status" hidden={said === null}>
      {said}
    </p>
  )
}

/** Hint at the term to type, or the message that nothing was found; `null` while there are finds. */
function words(asked: Asked | null, finds: readonly Find[]): string | null {
  const isBare = asked?.rest === '' && finds.every(({ asks }) => asks === undefined)
  if (isBare) return text('action.hint', { action: text(asked.action.words) })
  return finds.length === 0 ? text('nothingFound') : null
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
          key={keyOf(find)}
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

interface Found {
  finds: readonly Find[]
  isRunning: boolean
}

function useFound(typed: string, asked: Asked | null, operations: readonly string[]): Found {
  const [found, setFound] = useState<{ of: string; action?: Asked['action']; finds: readonly Find[] }>({
    of: '',
    finds: [],
  })
  const q = typed.trim()
  useEffect(() => {
    if (q === '') return
    const stopping = new AbortController()
    const { signal } = stopping
    const timer = setTimeout(async () => {
      const finds = await (asked === null
        ? searchEverything(q, operations, signal)
        : searchObjects(asked, operations, signal))
      if (!signal.aborted) setFound({ of: q, ...(asked !== null && { action: asked.action }), finds })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [q])
  // While it is read, what was found for fewer letters stays, but never for another action.
  const isFit = q !== '' && found.action === asked?.action
  return { finds: isFit ? found.finds : [], isRunning: found.of !== q }
}
