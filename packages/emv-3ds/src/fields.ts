import { areqFields } from './areq-fields.ts'
import {
  authenticationValue,
  cardRange,
  code,
  digits,
  extensions,
  jws,
  list,
  numeral,
  oneOf,
  pattern,
  renderingType,
  text,
  url,
  uuid,
  version,
} from './formats.ts'
import type { MessageType } from './messages.ts'
import {
  authenticated,
  cardholderAsked,
  challenge,
  conditional,
  decoupled,
  fromApp,
  notAuthenticated,
  notFromApp,
  optional,
  required,
  whiteListStatusPresent,
  type Field,
  type Scope,
} from './presence.ts'

const APP: Scope = { channels: ['APP'] }
const BRW: Scope = { channels: ['BRW'] }
const V210: Scope = { versions: ['2.1.0'] }
const V220: Scope = { versions: ['2.2.0'] }

/** Authentication response. Source: EMV 3DS 2.1.0 and 2.2.0, ARes. */
const aresFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('acsTransID', uuid),
  required('dsTransID', uuid),
  required('acsReferenceNumber', text(32)),
  required('dsReferenceNumber', text(32)),
  optional('acsOperatorID', text(32)),
  optional('messageExtension', extensions),

  required('transStatus', oneOf('Y', 'N', 'U', 'A', 'C', 'R'), V210),
  required('transStatus', oneOf('Y', 'N', 'U', 'A', 'C', 'D', 'R', 'I'), V220),
  conditional('transStatusReason', code(21), { ...V210, when: notAuthenticated }),
  conditional('transStatusReason', code(26), { ...V220, when: notAuthenticated }),
  conditional('authenticationValue', authenticationValue, { when: authenticated }),
  optional('eci', text(2)),
  optional('cardholderInfo', text(128)),
  optional('whiteListStatus', oneOf('Y', 'N', 'E', 'P', 'R', 'U'), V220),
  conditional('whiteListStatusSource', code(3), { ...V220, when: whiteListStatusPresent }),

  conditional('authenticationType', code(3), { ...V210, when: cardholderAsked }),
  conditional('authenticationType', code(4), { ...V220, when: cardholderAsked }),
  conditional('acsChallengeMandated', oneOf('Y', 'N'), { when: challenge }),
  conditional('acsDecConInd', oneOf('Y', 'N'), { ...V220, when: decoupled }),
  conditional('acsURL', url(2_048), { ...BRW, when: challenge }),
  conditional('acsRenderingType', renderingType, { ...APP, when: challenge }),
  conditional('acsSignedContent', jws, { ...APP, when: challenge }),
  optional('sdkTransID', uuid),
]

/** Challenge request: a browser posts it, an app encrypts it. Source: EMV 3DS 2.1.0 and 2.2.0, CReq. */
const creqFields: readonly Field[] = [
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

/** Challenge response: in a browser the final one only, in an app one for each step. Source: as above, CRes. */
const cresFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('acsTransID', uuid),
  conditional('transStatus', oneOf('Y', 'N'), { when: notFromApp }),
  optional('messageExtension', extensions),
  optional('sdkTransID', uuid),
  conditional('acsCounterAtoS', digits(3), { when: fromApp }),
  conditional('challengeCompletionInd', oneOf('Y', 'N'), { when: fromApp }),
]

/** Results request: the outcome of a challenge, from the ACS to the 3DS Server. Source: as above, RReq. */
const rreqFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('acsTransID', uuid),
  required('dsTransID', uuid),
  required('messageCategory', code(2)),
  optional('messageExtension', extensions),
  required('transStatus', oneOf('Y', 'N', 'U', 'A', 'R')),
  conditional('transStatusReason', code(21), { ...V210, when: notAuthenticated }),
  conditional('transStatusReason', code(26), { ...V220, when: notAuthenticated }),
  conditional('authenticationValue', authenticationValue, { when: authenticated }),
  required('authenticationType', code(3), V210),
  required('authenticationType', code(4), V220),
  optional('authenticationMethod', code(10)),
  optional('eci', text(2)),
  optional('challengeCancel', pattern(/^(?:0[14-8]|[89]\d)$/), V210),
  optional('challengeCancel', pattern(/^(?:0[13-8]|[89]\d)$/), V220),
  required('interactionCounter', numeral(2, { from: 0, to: 99 }), V210),
  conditional('interactionCounter', numeral(2, { from: 0, to: 99 }), {
    ...V220,
    when: ({ channel }) => channel !== '3RI',
  }),
  optional('acsRenderingType', renderingType),
  optional('sdkTransID', uuid),
  optional('whiteListStatus', oneOf('Y', 'N', 'E', 'P', 'R', 'U'), V220),
  conditional('whiteListStatusSource', code(3), { ...V220, when: whiteListStatusPresent }),
]

/** Results response; `resultsStatus` is received (01), challenge request not sent (02) or ARes not delivered (03). Source: as above, RRes. */
const rresFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('acsTransID', uuid),
  required('dsTransID', uuid),
  required('resultsStatus', oneOf('01', '02', '03')),
  optional('messageExtension', extensions),
  optional('sdkTransID', uuid),
]

/** The maximum number of card ranges in one PRes: more than any payment system is known to have. */
const RANGES_MAX = 200_000

/** Preparation request: asks a DS for the participating card ranges. Source: as above, PReq. */
const preqFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('threeDSServerRefNumber', text(32)),
  optional('threeDSServerOperatorID', text(32)),
  optional('serialNumber', text(20)),
  optional('messageExtension', extensions),
]

/** Preparation response: card ranges with their versions and 3DS Method URLs. Source: as above, PRes. */
const presFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('dsTransID', uuid),
  required('dsStartProtocolVersion', version),
  required('dsEndProtocolVersion', version),
  optional('serialNumber', text(20)),
  optional('cardRangeData', list(cardRange, RANGES_MAX)),
  optional('messageExtension', extensions),
]

/** Error message, sent instead of a response. Source: as above, Erro. */
const erroFields: readonly Field[] = [
  required('errorCode', pattern(/^[1-9]\d\d$/)),
  required('errorComponent', oneOf('C', 'S', 'D', 'A')),
  required('errorDescription', text(2_048)),
  required('errorDetail', text(2_048)),
  optional('errorMessageType', pattern(/^[A-Za-z]{4}$/)),
  optional('threeDSServerTransID', uuid), // absent if the refused message could not be read
  optional('acsTransID', uuid),
  optional('dsTransID', uuid),
  optional('sdkTransID', uuid),
]

/** The fields of each message except `messageType` and `messageVersion`, which select the table and its rows. */
export const messageTables: Readonly<Record<MessageType, readonly Field[]>> = {
  PReq: preqFields,
  PRes: presFields,
  AReq: areqFields,
  ARes: aresFields,
  CReq: creqFields,
  CRes: cresFields,
  RReq: rreqFields,
  RRes: rresFields,
  Erro: erroFields,
}
