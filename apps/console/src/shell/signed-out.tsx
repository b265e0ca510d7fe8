import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../design/controls.tsx'
import { text } from './text.ts'

interface SignedOutProps {
  /** Address of the member who was signed in. */
  email: string
  /** Asks again whether the member is signed in. */
  onContinue: () => void
}

/** Covers the page of a member whose session has ended, with what was typed on it, until there is another session. */
export function SignedOut({ email, onContinue }: SignedOutProps) {
  const element = useRef<HTMLDialogElement>(null)
  const cover = () => element.current?.showModal()
  useEffect(cover, [])
  return (
    // Escape would close the form beneath as well, and what was typed there. Browsers without `closedby` show the cover again.
    <dialog ref={element} class="cover" closedby="none" aria-labelledby="signed-out" onClose={cover}>
      <div class="form">
        <h1 id="signed-out">{text('signedOut')}</h1>
        <p>{text('signedOutHint', { email })}</p>
        <div class="actions">
          <a class="button main" href="/console/sign-in" target="_blank">
            {text('signIn')}
          </a>
          <Button onClick={onContinue}>{text('goOn')}</Button>
        </div>
      </div>
    </dialog>
  )
}
