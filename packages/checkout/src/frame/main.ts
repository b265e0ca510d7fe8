import { readFrameConfig } from './frame-config.ts'
import { receivePort } from './receive-port.ts'
import { servePage } from './serve-page.ts'

const config = readFrameConfig(document.documentElement.dataset.frame ?? '')
const ambient = { fetch: fetch.bind(window), crypto, now: () => Date.now() }
void receivePort(window, config).then((port) => servePage(port, config, ambient))
