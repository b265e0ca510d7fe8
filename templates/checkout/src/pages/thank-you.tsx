import { openPage } from '@tillwright/plugin-sdk'
import { PageProvider } from '@tillwright/plugin-sdk/preact'
import { ThankYou } from '../components/thank-you.tsx'
import { mount } from '../mount.ts'
import { locales } from '../texts.ts'
import { followTheme } from '../theme.ts'
import '../styles.css'

const page = openPage({ locales })
followTheme(page)

mount(
  <PageProvider page={page}>
    <ThankYou />
  </PageProvider>,
)
