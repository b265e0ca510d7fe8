import { openPage } from '@tillwright/plugin-sdk'
import { PageProvider } from '@tillwright/plugin-sdk/preact'
import { Home } from '../components/home.tsx'
import { mount } from '../mount.ts'
import '../styles.css'

const page = openPage({ locales: ['en', 'de'] })

mount(
  <PageProvider page={page}>
    <Home />
  </PageProvider>,
)
