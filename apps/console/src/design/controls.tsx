import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { exactTime, shortTime } from '../language/values.ts'
import { text } from '../shell/text.ts'
import { Icon, type IconName } from './icon.tsx'
import { useTyped } from './unsaved.ts'

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'class' | 'icon'> & {
  kind?: 'main' | 'danger' | 'plain'
  icon?: IconName
  /** Work is under way: the button says so, and does nothing. */
  isBusy?: boolean
}

/** Does something. It is `main` once on a page: what most readers came for. */
export function Button({ kind, icon, isBusy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind ?? ''} ${isBusy ? 'busy' : ''}`}
      aria-busy={isBusy}
      {...(onClick !== undefined && { onClick: isBusy ? () => {} : onClick })}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** How something stands: `good` is done, `wait` goes on, `bad` needs someone. */
export type Tone = 'good' | 'wait' | 'bad' | 'calm'

/** A status in a word. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** A time in the reader's zone, and to the second on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {shortTime(at)}
    </time>
  )
}

/** A text that is copied by a click: an id, an address. */
export function Copy({ value }: { value: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  return (
    <button type="button" class="copy" title={text('copy')} onClick={copy} onBlur={() => setCopied(false)}>
      {value}
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span class="hidden-text" role="status">
        {isCopied ? text('copied') : ''}
      </span>
    </button>
  )
}

interface FieldProps {
  label: string
  hint?: string
  /** Error of the value, and how to correct it. */
  wrong?: string | undefined
  /** Renders the control, with the attributes that associate it with its label, hint and error. */
  children: (tied: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ComponentChildren
}

/** One control of a form, with its words. */
export function Field({ label, hint, wrong, children }: FieldProps) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, wrong !== undefined && `${id}-wrong`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(wrong !== undefined && { 'aria-invalid': true as const }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {wrong !== undefined && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  )
}

interface InputProps extends Omit<FieldProps, 'children'> {
  value: string
  onValue: (value: string) => void
  type?: 'text' | 'email' | 'url' | 'password'
  required?: boolean
  maxLength?: number
  placeholder?: string
  autocomplete?: 'off' | 'username'
  inputMode?: 'numeric' | 'decimal' | 'text'
}

/** A field for one line of text. */
export function Input({ label, hint, wrong, onValue, type = 'text', ...rest }: InputProps) {
  const kind: object = { type } // Preact's types want one element for each type.
  return (
    <Field label={label} {...(hint !== undefined && { hint })} wrong={wrong}>
      {(tied) => (
        <input
          autocomplete="off"
          {...rest}
          {...tied}
          {...kind}
          class="input"
          spellcheck={false}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface SelectProps extends Omit<FieldProps, 'children'> {
  value: string
  onValue: (value: string) => void
  options: readonly { value: string; name: string }[]
}

/** A field for one of a few values. */
export function Select({ label, hint, wrong, value, onValue, options }: SelectProps) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })} wrong={wrong}>
      {(tied) => (
        <select {...tied} class="input" value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** Asks something in front of the page. Escape closes it; the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [isTyped, setTyped] = useState(false)
  useTyped(isTyped)
  useEffect(() => {
    const opener = document.activeElement
    element.current?.showModal()
    // The browser gives the focus back when it closes a dialog, and not when the page takes one away.
    return () => queueMicrotask(() => focusAgain(opener))
  }, [])
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onClose={onClose} onInput={() => setTyped(true)}>
      <div>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** Focuses what had the focus, or the content where that is gone or nothing had it, unless something else has it. */
function focusAgain(former: Element | null): void {
  if (document.activeElement !== document.body) return
  const isThere = former?.isConnected === true && former !== document.body
  const target = isThere ? former : document.querySelector('main')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

interface MenuProps {
  label: ComponentChildren
  start?: true
  onOpen?: () => void
  children: ComponentChildren
}

/** A button with a sheet below it. A click outside or Escape closes it. */
export function Menu({ label, start, onOpen, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const { current } = element
      if (current === null || !current.open) return
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape'
      const isOutside = event.type === 'pointerdown' && event.target instanceof Node && !current.contains(event.target)
      if (!isEscape && !isOutside) return
      current.open = false
      if (isEscape) current.querySelector('summary')?.focus()
    }
    addEventListener('pointerdown', close)
    addEventListener('keydown', close)
    return () => {
      removeEventListener('pointerdown', close)
      removeEventListener('keydown', close)
    }
  }, [])
  return (
    <details class="menu" ref={element} onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}>
      <summary class="button">{label}</summary>
      <div class={`sheet ${start === true ? 'start' : ''}`}>{children}</div>
    </details>
  )
}
