import { conditional, optional, required, type Field, type Scope } from './field.ts'
import { code, numeral, oneOf, pattern, proof, text, uuid } from './formats.ts'
import { listed, proven, unproven } from './rules.ts'
import { extensions, renderingType } from './shared-formats.ts'

const V210: Scope = { versions: ['2.1.0'] }
const V220: Scope = { versions: ['2.2.0'] }

/** What came of a challenge, from the issuer to the server. Source: EMV 3DS 2.1.0 and 2.2.0, RReq. */
export const rreqFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('acsTransID', uuid),
  required('dsTransID', uuid),
  required('messageCategory', code(2)),
  optional('messageExtension', extensions),
  required('transStatus', oneOf('Y', 'N', 'U', 'A', 'R')),
  conditional('transStatusReason', code(21), { ...V210, when: unproven }),
  conditional('transStatusReason', code(26), { ...V220, when: unproven }),
  conditional('authenticationValue', proof, { when: proven }),
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
  conditional('whiteListStatusSource', code(3), { ...V220, when: listed }),
]

/** The server's receipt for a result: for further use (01), challenge not wanted any more (02), not delivered (03). */
export const rresFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('acsTransID', uuid),
  required('dsTransID', uuid),
  required('resultsStatus', oneOf('01', '02', '03')),
  optional('messageExtension', extensions),
  optional('sdkTransID', uuid),
]
