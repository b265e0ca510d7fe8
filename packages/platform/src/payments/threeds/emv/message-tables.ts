import { areqFields } from './areq-fields.ts'
import { aresFields } from './ares-fields.ts'
import { creqFields, cresFields } from './challenge-fields.ts'
import type { MessageType } from './emv-message.ts'
import { erroFields } from './erro-fields.ts'
import type { Field } from './field.ts'
import { preqFields, presFields } from './preparation-fields.ts'
import { rreqFields, rresFields } from './result-fields.ts'

/** The fields of every message, but for its type and its version, which tell the table and the rows that hold. */
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
