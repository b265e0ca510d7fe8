import { usePage } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useSettings } from '../look/use-settings.ts'
import { imageAddress } from './image-address.ts'

/** The shop's name or mark. */
export function Header(): JSX.Element | null {
  const { brandName, logo } = useSettings()
  const { data } = usePage()
  if (brandName === '' && logo === '') return null
  return (
    <header class="header">
      {logo === '' ? (
        <p class="brand">{brandName}</p>
      ) : (
        <img class="logo" src={imageAddress(logo, data)} alt={brandName} height="36" />
      )}
    </header>
  )
}
