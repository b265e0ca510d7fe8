import { loadTexts } from '../locales/index.ts'
import { readFrameConfig } from './config.ts'
import { receivePort, servePage } from './page-port.ts'

/** Where the languages of this build lie; the build puts it here, so that the hash of the script covers it. */
declare const LANGUAGES_FOLDER: string

const config = readFrameConfig(document.documentElement.dataset.frame ?? '')
/** How far the vault's clock is ahead of this device's: times that the vault checks are in its own clock. */
const aheadMs = config.now - Date.now()
const load = fetch.bind(window)
const ambient = {
  fetch: load,
  crypto,
  now: () => Date.now() + aheadMs,
  loadTexts: (locale: string) => loadTexts(locale, { fetch: load, folder: LANGUAGES_FOLDER }),
}
void receivePort(window, config).then((port) => servePage(port, config, ambient))
