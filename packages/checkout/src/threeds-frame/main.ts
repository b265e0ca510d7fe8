import { receivePort } from '../frame/page-port.ts'
import { readThreedsConfig } from './config.ts'
import { returnToShop, servePage } from './session.ts'

const config = readThreedsConfig()
const dialog = document.querySelector('dialog')
if (dialog && config.returnUrl) returnToShop(config, dialog)
else if (dialog) void receivePort(window, config).then((port) => servePage(port, config, dialog))
