import type { EmvMessage } from '@tillwright/emv-3ds'
import type { Faults } from './scenario.ts'

/** Places of a challenge that no browser may be sent to. */
const places: Readonly<Record<NonNullable<Faults['acsUrl']>, string>> = {
  script: 'javascript:alert(document.domain)',
  document: 'data:text/html,<h1>Your bank</h1>',
  plain: 'http://bank.example/challenge',
  long: 'https://bank.example/'.padEnd(2_049, 'x'), // EMV 3DS 2.2.0, acsURL: at most 2048
}

/** An answer as it is, or its challenge at such a place. */
export function atHostilePlace(ares: EmvMessage, place: Faults['acsUrl']): EmvMessage {
  return place === undefined || ares['acsURL'] === undefined ? ares : { ...ares, acsURL: places[place] }
}
