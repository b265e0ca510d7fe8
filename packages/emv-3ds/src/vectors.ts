import type { EmvMessage, MessageVersion } from './messages.ts'

/** Valid messages to test with: one transaction of each version and channel, written from the tables. */

const ids = {
  threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
  acsTransID: 'd7c1ee99-9478-44a6-b1f2-391e29c6b340',
  dsTransID: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
}
const { threeDSServerTransID, acsTransID } = ids

/** A payment in a browser. */
export function browserAreq(messageVersion: MessageVersion = '2.2.0'): EmvMessage {
  return {
    messageType: 'AReq',
    messageVersion,
    deviceChannel: '02',
    messageCategory: '01',
    threeDSServerTransID,
    ...requestor,
    threeDSRequestorAuthenticationInd: '01',
    threeDSRequestorChallengeInd: '01',
    ...card,
    ...merchant,
    ...purchase,
    browserAcceptHeader: 'text/html',
    browserUserAgent: 'Mozilla/5.0',
    browserLanguage: 'de-AT',
    browserIP: '192.0.2.7',
    browserJavaEnabled: false,
    browserColorDepth: '24',
    browserScreenHeight: '1080',
    browserScreenWidth: '1920',
    browserTZ: '-60',
    notificationURL: 'https://vault.example/v1/threeds/notify',
    threeDSCompInd: 'Y',
    ...(messageVersion === '2.2.0' && { browserJavascriptEnabled: true }),
  }
}

const requestor = {
  threeDSRequestorID: 'shop-1',
  threeDSRequestorName: 'Canvas & Co',
  threeDSRequestorURL: 'https://shop.example',
  threeDSServerRefNumber: '3DS_LOA_SER_TEST_020200_00001',
  threeDSServerURL: 'https://server.example/results',
}
const card = {
  acctNumber: '4000000000001091',
  cardExpiryDate: '3103',
  cardholderName: 'Ada Lovelace',
  email: 'ada@example.com',
  mobilePhone: { cc: '44', subscriber: '7700900123' },
  acctInfo: { chAccAgeInd: '05', chAccDate: '20240229', nbPurchaseAccount: '12' },
  billAddrCountry: '826',
  billAddrState: 'LND',
  messageExtension: [{ name: 'note', id: 'A1', criticalityIndicator: false, data: { note: 'gift' } }],
}
const merchant = {
  acquirerBIN: '445566',
  acquirerMerchantID: 'merchant-1',
  mcc: '5411',
  merchantCountryCode: '826',
  merchantName: 'Canvas & Co',
  merchantRiskIndicator: { deliveryTimeframe: '02', giftCardCurr: '978', giftCardCount: '01' },
}
const purchase = {
  purchaseAmount: '1999',
  purchaseCurrency: '840',
  purchaseExponent: '2',
  purchaseDate: '20300102030405',
}

/** A payment in an app. */
export function appAreq(messageVersion: MessageVersion = '2.2.0'): EmvMessage {
  return {
    messageType: 'AReq',
    messageVersion,
    deviceChannel: '01',
    messageCategory: '01',
    threeDSServerTransID,
    ...requestor,
    threeDSRequestorAuthenticationInd: '01',
    ...card,
    ...merchant,
    ...purchase,
    deviceRenderOptions: { sdkInterface: '03', sdkUiType: ['01', '05'] },
    sdkAppID: '38aeecf2-2114-4e8e-98d3-d0f7477b5f2e',
    sdkEphemPubKey: { kty: 'EC', crv: 'P-256', x: 'a'.repeat(43), y: 'b'.repeat(43) },
    sdkMaxTimeout: '05',
    sdkReferenceNumber: '3DS_LOA_SDK_TEST_020200_00001',
    sdkTransID: '92dcfff6-a888-478a-9c09-cd4e8a5c4c6b',
    sdkEncData: 'eyJhbGciOiJkaXIifQ..e.30.t',
  }
}

/** A 3RI request, without the cardholder: whether a card is still valid. */
export function requestorAreq(messageVersion: MessageVersion = '2.2.0'): EmvMessage {
  return {
    messageType: 'AReq',
    messageVersion,
    deviceChannel: '03',
    messageCategory: '02',
    threeDSServerTransID,
    ...requestor,
    ...card,
    threeRIInd: '05',
  }
}

/** The responses to a request in a browser, and the messages of its challenge. */
export function exchange(messageVersion: MessageVersion = '2.2.0') {
  const version = { messageVersion }
  const answer = { messageType: 'ARes', ...version, ...ids, ...references } as const
  return {
    frictionless: { ...answer, transStatus: 'Y', authenticationValue: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=', eci: '05' },
    challenge: { ...answer, ...challenged },
    creq: { messageType: 'CReq', ...version, threeDSServerTransID, acsTransID, challengeWindowSize: '05' },
    cres: { messageType: 'CRes', ...version, threeDSServerTransID, acsTransID, transStatus: 'Y' },
    rreq: { messageType: 'RReq', ...version, ...ids, messageCategory: '01', ...refused },
    rres: { messageType: 'RRes', ...version, ...ids, resultsStatus: '01' },
    erro: { messageType: 'Erro', ...version, threeDSServerTransID, ...faulty },
    preq: { messageType: 'PReq', ...version, threeDSServerTransID, threeDSServerRefNumber: 'SER-1' },
    pres: { messageType: 'PRes', ...version, threeDSServerTransID, dsTransID: ids.dsTransID, ...ranges },
  } as const satisfies Record<string, EmvMessage>
}

const references = { acsReferenceNumber: 'ACS-1', dsReferenceNumber: 'DS-1' }
const challenged = {
  transStatus: 'C',
  acsChallengeMandated: 'Y',
  authenticationType: '02',
  acsURL: 'https://acs.example/challenge',
}
const refused = { transStatus: 'N', transStatusReason: '01', authenticationType: '02', interactionCounter: '03' }
const faulty = {
  errorCode: '203',
  errorComponent: 'D',
  errorDescription: 'Format of one or more data elements is invalid',
  errorDetail: 'mcc',
  errorMessageType: 'AReq',
}
const ranges = {
  dsStartProtocolVersion: '2.1.0',
  dsEndProtocolVersion: '2.2.0',
  cardRangeData: [
    {
      startRange: '4000000000000000',
      endRange: '4999999999999999',
      acsStartProtocolVersion: '2.1.0',
      acsEndProtocolVersion: '2.2.0',
      threeDSMethodURL: 'https://acs.example/method',
    },
  ],
}

/** Every message of a version. */
export function vectors(messageVersion: MessageVersion): EmvMessage[] {
  const requests = [browserAreq(messageVersion), appAreq(messageVersion), requestorAreq(messageVersion)]
  return [...requests, ...Object.values(exchange(messageVersion))]
}
