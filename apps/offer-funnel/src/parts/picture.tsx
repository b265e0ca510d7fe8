import type { JSX } from 'preact'
import { usePage } from '@tillwright/plugin-sdk/preact'

interface PictureProps {
  /** An https address, or a path in the plugin; nothing is shown for an empty one. */
  path: string
  /** Empty for a picture that only decorates. */
  alt?: string
  class?: string
  /** Whether it is what the buyer sees first. */
  isFirst?: boolean
}

/** A picture of the settings. */
export function Picture({ path, alt = '', class: name, isFirst = false }: PictureProps): JSX.Element | null {
  const { data } = usePage()
  if (path === '') return null
  return (
    <img
      class={name}
      src={addressOf(path, data.basePath)}
      alt={alt}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchpriority={isFirst ? 'high' : 'auto'}
      decoding="async"
    />
  )
}

function addressOf(path: string, basePath: string): string {
  return path.startsWith('/') ? basePath.replace(/\/$/, '') + path : path
}
