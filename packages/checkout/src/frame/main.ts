import { loadTexts } from '../locales/index.ts'
import { readFrameAddress } from './config.ts'
import { receivePort, servePage } from './page-port.ts'
import { awaitSender } from './sender.ts'

/** Where the languages of this build lie; the build puts it here, so that the hash of the script covers it. */
declare const LANGUAGES_FOLDER: string

const sender = awaitSender()
const load = fetch.bind(window)
const texts = (locale: string) => loadTexts(locale, { fetch: load, folder: LANGUAGES_FOLDER })
void receivePort(window, readFrameAddress(location.search)).then((port) => servePage(port, sender, texts))
