import { checkMessage, requiredText, type EmvMessage } from '@tillwright/emv-3ds'
import { drawnUuid } from './draws.ts'

/** A card range whose issuer is enrolled. */
interface CardRange {
  /** Digits shared by every number in the range. */
  prefix: string
  /** Length of a card number in the range, in digits. */
  length: number
  /** Whether the issuer has a method page. */
  method: boolean
}

/**
 * The enrolled ranges: the test ranges of the networks. American Express and Discover have no method page, so that both
 * flows can be tested. Cards outside these ranges are not enrolled.
 */
const ranges: readonly CardRange[] = [
  { prefix: '4', length: 16, method: true },
  ...['51', '52', '53', '54', '55', '22', '23', '24', '25', '26', '27'].map((prefix) => {
    return { prefix, length: 16, method: true }
  }),
  { prefix: '34', length: 15, method: false },
  { prefix: '37', length: 15, method: false },
  { prefix: '6011', length: 16, method: false },
  { prefix: '65', length: 16, method: false },
  { prefix: '35', length: 16, method: true },
]

/**
 * Answers a request for card ranges.
 *
 * @param preqText A PReq as JSON.
 * @param methodUrl URL of the simulated issuer's method page.
 * @returns A PRes or an Erro.
 */
export function answerPreq(preqText: string, methodUrl: string): EmvMessage {
  const checked = checkMessage(preqText, { types: ['PReq'], component: 'D' })
  if (checked.outcome === 'error') return checked.erro
  const { message } = checked
  const transactionId = requiredText(message, 'threeDSServerTransID')
  return {
    messageType: 'PRes',
    messageVersion: message.messageVersion,
    threeDSServerTransID: transactionId,
    dsTransID: drawnUuid('ds', transactionId),
    serialNumber: '1',
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.2.0',
    cardRangeData: ranges.map((range) => written(range, methodUrl)),
  }
}

/** URL of the method page of a card's issuer, or `null` if it has none or is not enrolled. */
export function methodUrlOf(cardNumber: string, methodUrl: string): string | null {
  const range = ranges.find(({ prefix, length }) => cardNumber.startsWith(prefix) && cardNumber.length === length)
  return range?.method === true ? methodUrl : null
}

function written({ prefix, length, method }: CardRange, methodUrl: string) {
  return {
    startRange: prefix.padEnd(length, '0'),
    endRange: prefix.padEnd(length, '9'),
    actionInd: 'A',
    acsStartProtocolVersion: '2.1.0',
    acsEndProtocolVersion: '2.2.0',
    ...(method && { threeDSMethodURL: methodUrl }),
  }
}
