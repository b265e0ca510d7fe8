import type { ComponentChildren } from 'preact'

interface SectionProps {
  title: string
  /** At the end of the title's line. */
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A part of a page, with its title. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        {actions}
      </header>
      <div class="inside">{children}</div>
    </section>
  )
}

/** Names and their values. One whose value is `null` is left out. */
export function Facts({ of: facts }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ),
      )}
    </dl>
  )
}
