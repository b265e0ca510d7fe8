import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiFailure } from '../../api/client.ts'
import { text } from './text.ts'

/** One page in front of the console: a title, one step, and why it did not work. */
export function StepPage({
  title,
  failure,
  children,
}: {
  title: string
  failure: string
  children: ComponentChildren
}) {
  useEffect(() => {
    document.title = `${title} - Tillwright`
  }, [title])
  return (
    <main class="sign-in">
      <h1>{title}</h1>
      {children}
      <p role="alert">{failure}</p>
    </main>
  )
}

/** Runs the steps of a page, one at a time, and tells why one did not work. */
export function useStep() {
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const run = (step: () => Promise<void>) => async (event?: Event) => {
    event?.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFailure('')
    try {
      await step()
    } catch (error) {
      setFailure(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { failure, isBusy, run }
}

/** Why a step did not work: what the platform says, or that the person or the browser has stopped. */
function wordsOf(error: unknown): string {
  if (error instanceof ApiFailure) return error.message
  if (error instanceof DOMException && error.name === 'NotAllowedError') return text('noPasskey')
  return error instanceof Error ? error.message : String(error)
}

/** Recovery codes, which are shown this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section>
      <h2>{text('codes')}</h2>
      <p>{text('codesHint')}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
