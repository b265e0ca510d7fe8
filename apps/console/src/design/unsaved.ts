import { useEffect } from 'preact/hooks'

const unsaved = new Set<object>()

/**
 * Says while a component is shown whether something was typed in it and not sent. If the session ends meanwhile, the page
 * stays for the next one.
 */
export function useTyped(isTyped: boolean): void {
  useEffect(() => {
    if (!isTyped) return
    const one = {}
    unsaved.add(one)
    return () => void unsaved.delete(one)
  }, [isTyped])
}

/** Is {@link useTyped} for long work: the window also asks before it goes. */
export function useUnsaved(isTyped: boolean): void {
  useTyped(isTyped)
  useEffect(() => {
    if (!isTyped) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isTyped])
}

/** Whether the page has something that was typed and not sent. */
export function hasUnsaved(): boolean {
  return unsaved.size > 0
}
