import { useLocale, usePage } from '@tillwright/plugin-sdk/preact'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { applyLook } from '../look/apply-look.ts'
import { useSettings } from '../look/use-settings.ts'
import { languageOf, languages } from '../texts/languages.ts'
import { useWords } from '../texts/use-words.tsx'

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

/** The shop's name or mark. */
function Header(): JSX.Element | null {
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

/** Where to ask, what holds, and the language. */
function Footer(): JSX.Element {
  const { supportEmail, termsUrl, privacyUrl, returnsUrl } = useSettings()
  const say = useWords()
  const links = [
    { address: termsUrl, text: say('terms') },
    { address: privacyUrl, text: say('privacy') },
    { address: returnsUrl, text: say('returns') },
  ]
  return (
    <footer class="footer">
      <ul class="links">
        {supportEmail !== '' && (
          <li class="contact">
            {say('questions')} <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          </li>
        )}
        {links.map(({ address, text }) => address !== '' && <li key={text}>{<a href={address}>{text}</a>}</li>)}
      </ul>
      <LanguageChoice />
    </footer>
  )
}

/** Lets the buyer choose another language. */
function LanguageChoice(): JSX.Element {
  const page = usePage()
  const locale = useLocale()
  const say = useWords()
  return (
    <label class="language">
      <span>{say('language')}</span>
      <select value={languageOf(locale)} onChange={({ currentTarget }) => page.locale.set(currentTarget.value)}>
        {languages.map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Where a picture of the settings is: an https address as it is, a path below where the plugin's pages begin. */
export function imageAddress(image: string, { basePath }: { basePath: string }): string {
  return image.startsWith('/') ? basePath.replace(/\/$/, '') + image : image
}
