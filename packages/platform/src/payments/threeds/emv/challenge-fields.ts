import { conditional, optional, required, type Field } from './field.ts'
import { digits, oneOf, text, url, uuid } from './formats.ts'
import { fromApp, notFromApp } from './rules.ts'
import { extensions } from './shared-formats.ts'

/** The request for a challenge; a browser posts it, an app encrypts it. Source: EMV 3DS 2.1.0 and 2.2.0, CReq. */
export const creqFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('acsTransID', uuid),
  conditional('challengeWindowSize', oneOf('01', '02', '03', '04', '05'), { when: notFromApp }),
  optional('messageExtension', extensions),
  optional('sdkTransID', uuid),
  conditional('sdkCounterStoA', digits(3), { when: fromApp }),
  optional('challengeCancel', oneOf('01', '04', '08')),
  optional('challengeDataEntry', text(45)),
  optional('threeDSRequestorAppURL', url(256), { versions: ['2.2.0'] }),
]

/** The end of a challenge, by way of the browser; an app is told of every step. Source: as above, CRes. */
export const cresFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('acsTransID', uuid),
  conditional('transStatus', oneOf('Y', 'N'), { when: notFromApp }),
  optional('messageExtension', extensions),
  optional('sdkTransID', uuid),
  conditional('acsCounterAtoS', digits(3), { when: fromApp }),
  conditional('challengeCompletionInd', oneOf('Y', 'N'), { when: fromApp }),
]
