import { receivePort } from '../frame/receive-port.ts'
import { returnToShop } from './return-to-shop.ts'
import { servePage } from './serve-page.ts'
import { readThreedsConfig } from './threeds-config.ts'

const config = readThreedsConfig()
const dialog = document.querySelector('dialog')
if (dialog && config.returnUrl) returnToShop(config, dialog)
else if (dialog) void receivePort(window, config).then((port) => servePage(port, config, dialog))
