/** The drawings, each on a field of 24 by 24, made of lines. */
const paths = {
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-5v-6h-4v6H5a1 1 0 0 1-1-1z',
  payment: 'M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zM3 10h18M7 15h4',
  refund: 'M9 5 4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3',
  order: 'M6 8h12l1 12H5zM9 8V7a3 3 0 0 1 6 0v1',
  customer: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M5 20a7 7 0 0 1 14 0',
  subscription: 'M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5',
  dispute: 'M12 4 3 19h18zM12 10v4M12 16.5v.5',
  product: 'M12 3 4 7v10l8 4 8-4V7zM4 7l8 4 8-4M12 11v10',
  promotion: 'M4 12 12 4h7v7l-8 8zM15.5 8.5v.01',
  store: 'M4 9 6 4h12l2 5v2H4zM5 11v9h14v-9M10 20v-5h4v5',
  flow: 'M5 5h4v4H5zM15 15h4v4h-4zM15 5h4v4h-4zM9 7h6M7 9v8h8',
  processor: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  plugin: 'M9 4h6v4h4v6h-4v6H9v-6H5V8h4z',
  key: 'M8 16a4 4 0 1 1 3.5-6H21v4h-3v3h-4v-3h-2.5A4 4 0 0 1 8 16M8 12v.01',
  webhook: 'M8 8a4 4 0 1 1 6 3.5l2 4M10 13l-3 4a3 3 0 1 0 3 2h8',
  event: 'M4 6h16M4 12h16M4 18h10',
  clock: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16M12 8v4l3 2',
  scenario: 'M4 5h16v14H4zM10 9l5 3-5 3z',
  request: 'M4 8h13M13 4l4 4-4 4M20 16H7M11 12l-4 4 4 4',
  member:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6M18 14a6 6 0 0 1 3.5 6',
  audit: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7M9 8h3',
  account: 'M4 20V6l8-3 8 3v14M4 20h16M9 20v-4h6v4M9 9h.01M15 9h.01M9 12.5h.01M15 12.5h.01',
  operations: 'M3 12h4l3-7 4 14 3-7h4',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  filter: 'M4 6h16M7 12h10M10 18h4',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12l5 5 9-10',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  down: 'M6 9l6 6 6-6',
  forward: 'M9 6l6 6-6 6',
} as const

/** The name of a drawing. */
export type IconName = keyof typeof paths

/** A decorative icon next to a word; screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
