import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { applyLook } from '../look/apply-look.ts'
import { useSettings } from '../look/use-settings.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

/** Props shared by every page of the plugin. */
export interface PageFrameProps {
  /** Stands in the browser's tab, with the shop's name behind it. */
  title: string
  /** Stands above everything else. */
  heading?: ComponentChildren
  /** The order, which stands where the settings want it. */
  aside: ComponentChildren
  children: ComponentChildren
}

/** The shop's mark, the order, the page itself, and what stands below it. */
export function PageFrame({ title, heading, aside, children }: PageFrameProps): JSX.Element {
  const settings = useSettings()
  const { brandName } = settings
  useLayoutEffect(() => applyLook(document.documentElement, settings), [settings])
  useEffect(() => {
    document.title = brandName === '' ? title : `${title} · ${brandName}`
  }, [title, brandName])
  return (
    <div class="page">
      <Header />
      {heading}
      <aside class="aside">{aside}</aside>
      <main class="main">{children}</main>
      <Footer />
    </div>
  )
}
