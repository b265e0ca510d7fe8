import type { JSX } from 'preact'
import { useSettings } from '../look/use-settings.ts'
import { useWords } from '../texts/use-words.tsx'
import { LanguageChoice } from './language-choice.tsx'

/** Where to ask, what holds, and the language. */
export function Footer(): JSX.Element {
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
