import { optional, required, type Field } from './field.ts'
import { list, text, uuid } from './formats.ts'
import { cardRange, extensions, version } from './shared-formats.ts'

/** The most card ranges that one answer holds: more than any network is known to have. */
const RANGES_MAX = 200_000

/** The question for the ranges of cards that take part. Source: EMV 3DS 2.1.0 and 2.2.0, PReq. */
export const preqFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('threeDSServerRefNumber', text(32)),
  optional('threeDSServerOperatorID', text(32)),
  optional('serialNumber', text(20)),
  optional('messageExtension', extensions),
]

/** The ranges, each with its versions and the address of its issuer's method. Source: as above, PRes. */
export const presFields: readonly Field[] = [
  required('threeDSServerTransID', uuid),
  required('dsTransID', uuid),
  required('dsStartProtocolVersion', version),
  required('dsEndProtocolVersion', version),
  optional('serialNumber', text(20)),
  optional('cardRangeData', list(cardRange, RANGES_MAX)),
  optional('messageExtension', extensions),
]
