import { conditional, optional, required, type Field, type Scope } from './field.ts'
import { code, jws, oneOf, proof, text, url, uuid } from './formats.ts'
import { challenge, decoupled, interaction, listed, proven, unproven } from './rules.ts'
import { extensions, renderingType } from './shared-formats.ts'

const APP: Scope = { channels: ['APP'] }
const BRW: Scope = { channels: ['BRW'] }
const V210: Scope = { versions: ['2.1.0'] }
const V220: Scope = { versions: ['2.2.0'] }

/** The issuer's answer to a request. Source: EMV 3DS 2.1.0 and 2.2.0, ARes. */
export const aresFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('acsTransID', uuid),
  required('dsTransID', uuid),
  required('acsReferenceNumber', text(32)),
  required('dsReferenceNumber', text(32)),
  optional('acsOperatorID', text(32)),
  optional('messageExtension', extensions),

  required('transStatus', oneOf('Y', 'N', 'U', 'A', 'C', 'R'), V210),
  required('transStatus', oneOf('Y', 'N', 'U', 'A', 'C', 'D', 'R', 'I'), V220),
  conditional('transStatusReason', code(21), { ...V210, when: unproven }),
  conditional('transStatusReason', code(26), { ...V220, when: unproven }),
  conditional('authenticationValue', proof, { when: proven }),
  optional('eci', text(2)),
  optional('cardholderInfo', text(128)),
  optional('whiteListStatus', oneOf('Y', 'N', 'E', 'P', 'R', 'U'), V220),
  conditional('whiteListStatusSource', code(3), { ...V220, when: listed }),

  conditional('authenticationType', code(3), { ...V210, when: interaction }),
  conditional('authenticationType', code(4), { ...V220, when: interaction }),
  conditional('acsChallengeMandated', oneOf('Y', 'N'), { when: challenge }),
  conditional('acsDecConInd', oneOf('Y', 'N'), { ...V220, when: decoupled }),
  conditional('acsURL', url(2_048), { ...BRW, when: challenge }),
  conditional('acsRenderingType', renderingType, { ...APP, when: challenge }),
  conditional('acsSignedContent', jws, { ...APP, when: challenge }),
  optional('sdkTransID', uuid),
]
