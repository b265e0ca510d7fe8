import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { readAgainAfter, useIsLive, useLive } from '../api/live.ts'
import { Badge, Button, Menu, Dialog } from '../design/controls.tsx'
import { Icon } from '../design/icon.tsx'
import { chooseLanguage, language, languageNames, languages } from '../language/language.ts'
import { useKeys } from './keys.ts'
import { allowedSections, consoleUrl } from './navigation.ts'
import { Palette } from './palette.tsx'
import { useMay, useSession } from './session.ts'
import { OwnStore } from './stores.tsx'
import { text } from './text.ts'

interface ShellProps {
  /** Whether the page of this address is still on its way, and the one before it is seen meanwhile. */
  isComing: boolean
  children: ComponentChildren
}

/** Frame of every page: the menu, the search, and who is signed in. */
export function Shell({ isComing, children }: ShellProps) {
  const { path, route } = useLocation()
  const [open, setOpen] = useState<'search' | 'help' | 'menu' | null>(null)
  const main = useRef<HTMLElement>(null)
  const close = () => setOpen(null)
  useLive(readAgainAfter, useMay()('eventLog.list'))
  useKeys({ search: () => setOpen('search'), help: () => setOpen('help'), go: (to) => route(consoleUrl(to)) })
  const placeOf = usePlaces()
  useEffect(() => {
    close()
    scrollTo(0, placeOf())
    main.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <div class="shell">
      <Side isOpen={open === 'menu'} onClose={close} />
      <header class="bar">
        <a class="button skip" href="#content">
          {text('skip')}
        </a>
        <span class="narrow">
          <Button kind="plain" icon="menu" aria-expanded={open === 'menu'} onClick={() => setOpen('menu')}>
            <span class="hidden-text">{text('menu')}</span>
          </Button>
        </span>
        <button type="button" class="button opener" onClick={() => setOpen('search')}>
          <Icon name="search" />
          {text('search')}
          <kbd aria-hidden="true">/</kbd>
        </button>
        <Person />
      </header>
      <main id="content" ref={main} tabIndex={-1} aria-busy={isComing}>
        {children}
      </main>
      {open === 'search' && <Palette onClose={close} />}
      {open === 'help' && <KeyboardHelp onClose={close} />}
    </div>
  )
}

/**
 * Keeps how far each address was scrolled. The browser's own memory is of no use: it scrolls before the page is drawn.
 *
 * @returns Where a page that has just been drawn is to be: where it was left, if the reader went back or forward to it.
 */
function usePlaces(): () => number {
  const wanted = useRef(0)
  useEffect(() => {
    const places = new Map<string, number>()
    history.scrollRestoration = 'manual'
    const keep = () => void places.set(location.href, scrollY)
    const goBack = () => (wanted.current = places.get(location.href) ?? 0)
    addEventListener('scroll', keep, { passive: true })
    addEventListener('popstate', goBack)
    return () => {
      removeEventListener('scroll', keep)
      removeEventListener('popstate', goBack)
    }
  }, [])
  return () => {
    const place = wanted.current
    wanted.current = 0
    return place
  }
}

function Side({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { path } = useLocation()
  const { operations, accountName } = useSession()
  return (
    <nav class={`side ${isOpen ? 'open' : ''}`} aria-label={text('menu')}>
      <div class="brand">
        {accountName}
        <span class="narrow">
          <Button kind="plain" icon="close" onClick={onClose}>
            <span class="hidden-text">{text('close')}</span>
          </Button>
        </span>
      </div>
      <OwnStore />
      {allowedSections(operations).map(({ title, pages }) => (
        <section key={title}>
          {title !== undefined && <h2>{text(title)}</h2>}
          <ul>
            {pages.map(({ name, path: to, icon }) => (
              <li key={name}>
                <a
                  href={consoleUrl(to)}
                  {...(isWithin(path, consoleUrl(to)) && { 'aria-current': 'page' })}
                  onClick={onClose}
                >
                  <Icon name={icon} />
                  {text(`page.${name}`)}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** Whether an address is a page or below it; everything is below the first page, which is itself alone. */
function isWithin(path: string, page: string): boolean {
  return path === page || (page !== '/console' && path.startsWith(`${page}/`))
}

function Person() {
  const { member } = useSession()
  const signOut = async () => {
    await api.me.signOut()
    location.replace('/console/sign-in')
  }
  return (
    <>
      {!useIsLive() && <Badge tone="wait">{text('live.off')}</Badge>}
      <Badge tone="calm">{text(`role.${member.role}`)}</Badge>
      <Menu
        label={
          <>
            <Icon name="customer" />
            <span class="hidden-text">{member.email}</span>
          </>
        }
      >
        <div class="person">
          <p class="who">{member.email}</p>
          <a href={consoleUrl('/you')}>{text('you')}</a>
          <a href="/guide/">{text('guide')}</a>
          <label class="who">
            {text('language')}{' '}
            <select
              class="input"
              value={language}
              onChange={({ currentTarget: { value } }) => {
                const chosen = languages.find((each) => each === value)
                if (chosen !== undefined) chooseLanguage(chosen)
              }}
            >
              {languages.map((each) => (
                <option key={each} value={each} lang={each}>
                  {languageNames[each]}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={signOut}>
            {text('signOut')}
          </button>
        </div>
      </Menu>
    </>
  )
}

/** The sheet of all keys. */
function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const pages = allowedSections(useSession().operations).flatMap((section) => section.pages)
  const keys: readonly (readonly [string, string])[] = [
    ['/', text('key.search')],
    ['Ctrl K', text('key.search')],
    ['/ …', text('key.action', { example: `${text('do.refund')} pay_…` })],
    ['j', text('key.down')],
    ['k', text('key.up')],
    ['Enter', text('key.open')],
    ['f', text('key.filter')],
    ['?', text('key.help')],
    ['Esc', text('close')],
    ...pages.flatMap(({ letter, name }) =>
      letter === undefined ? [] : [[`g ${letter}`, text('key.go', { page: text(`page.${name}`) })] as const],
    ),
  ]
  return (
    <Dialog title={text('keyboard')} onClose={onClose}>
      <dl class="keys">
        {keys.map(([key, meaning]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  )
}
