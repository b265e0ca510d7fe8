import { text } from './text.ts'

/** An address that is not the console's: it opens in a window of its own, which has no way back here. */
export function Outside({ to, name }: { to: string; name?: string }) {
  return (
    <a class="outside" href={to} target="_blank" rel="noopener noreferrer">
      {name ?? to.replace(/^https?:\/\//, '').replace(/\/$/, '')}
      <span class="hidden-text"> {text('newWindow')}</span>
    </a>
  )
}
