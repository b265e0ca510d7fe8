import type { JSX } from 'preact'
import { useText } from '@tillwright/plugin-sdk/preact'
import { useSettings } from '../settings/use-settings.ts'

/** Questions that open; nothing without any. @param onOpen Is told the place of a question that was opened, from 1. */
export function Faq({ onOpen }: { onOpen: (question: number) => void }): JSX.Element | null {
  const { landing } = useSettings()
  const t = useText()
  if (landing.faq.length === 0) return null
  return (
    <section class="faq narrow">
      <h2>{t(landing.faqTitle)}</h2>
      {landing.faq.map(({ question, answer }, index) => (
        <details key={index} onToggle={({ currentTarget }) => currentTarget.open && onOpen(index + 1)}>
          <summary>{t(question)}</summary>
          <p>{t(answer)}</p>
        </details>
      ))}
    </section>
  )
}
