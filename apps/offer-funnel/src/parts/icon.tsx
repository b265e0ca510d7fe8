import type { JSX } from 'preact'

type Name = Tillwright.Config['landing']['benefits'][number]['icon']

/** Lines in a square of 24, drawn with round ends. */
const shapes: Readonly<Record<Name | 'check' | 'lock', string>> = {
  snow: 'M12 2v20M4 7l16 10M20 7 4 17M9 3l3 3 3-3M9 21l3-3 3 3',
  sun: 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM12 1v2M12 21v2M1 12h2M21 12h2M4 4l1.5 1.5M18.5 18.5 20 20M4 20l1.5-1.5M18.5 5.5 20 4',
  drop: 'M12 3s7 7.5 7 12a7 7 0 0 1-14 0c0-4.5 7-12 7-12Z',
  leaf: 'M5 20c0-9 5-15 16-16 0 11-5 16-12 16-2 0-4-1-4-1M5 20c2-5 5-8 9-10',
  shield: 'M12 2 4 5v6c0 5 3.5 9 8 11 4.5-2 8-6 8-11V5Z',
  truck: 'M2 6h12v10H2ZM14 10h4l4 4v2h-8M6.5 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM17.5 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  return: 'M4 9h10a6 6 0 0 1 0 12H8M4 9l5-5M4 9l5 5',
  spark: 'M12 2l2.5 7.5L22 12l-7.5 2.5L12 22l-2.5-7.5L2 12l7.5-2.5Z',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7v5l4 2',
  heart: 'M12 21C5 15 2 12 2 8a5 5 0 0 1 10-1 5 5 0 0 1 10 1c0 4-3 7-10 13Z',
  check: 'M4 12.5 9.5 18 20 6.5',
  lock: 'M6 11h12v10H6ZM8.5 11V7a3.5 3.5 0 0 1 7 0v4',
}

/** A decorative icon; its meaning is given in the text next to it. */
export function Icon({ name }: { name: keyof typeof shapes }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
