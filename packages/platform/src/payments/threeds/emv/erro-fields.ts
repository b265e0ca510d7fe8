import { optional, required, type Field } from './field.ts'
import { oneOf, pattern, text, uuid } from './formats.ts'

/** What is said instead of an answer. Source: EMV 3DS 2.1.0 and 2.2.0, Erro. */
export const erroFields: readonly Field[] = [
  required('errorCode', pattern(/^[1-9]\d\d$/)),
  required('errorComponent', oneOf('C', 'S', 'D', 'A')),
  required('errorDescription', text(2_048)),
  required('errorDetail', text(2_048)),
  optional('errorMessageType', pattern(/^[A-Za-z]{4}$/)),
  optional('threeDSServerTransID', uuid), // who could not read a message cannot name its transaction
  optional('acsTransID', uuid),
  optional('dsTransID', uuid),
  optional('sdkTransID', uuid),
]
