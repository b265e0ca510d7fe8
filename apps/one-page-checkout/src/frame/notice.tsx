import type { ComponentChildren, JSX } from 'preact'

/** A message to the buyer, announced by screen readers at once. */
export interface NoticeProps {
  text: string
  /** Actions offered to the buyer. */
  children?: ComponentChildren
  tone?: 'problem' | 'news'
}

/** A message in the page. */
export function Notice({ text, children, tone = 'problem' }: NoticeProps): JSX.Element {
  return (
    <div class="notice" data-tone={tone} role={tone === 'problem' ? 'alert' : 'status'}>
      <p>{text}</p>
      {children}
    </div>
  )
}
