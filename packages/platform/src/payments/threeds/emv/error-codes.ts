/** The error codes of EMV 3DS with the descriptions that go with them. Source: EMV 3DS 2.2.0, error code. */
export const errorDescriptions = {
  '101': 'Message received invalid',
  '102': 'Message version number not supported',
  '103': 'Sent messages limit exceeded',
  '201': 'Required data element missing',
  '202': 'Critical message extension not recognised',
  '203': 'Format of one or more data elements is invalid',
  '204': 'Duplicate data element',
  '301': 'Transaction ID not recognised',
  '302': 'Data decryption failure',
  '303': 'Access denied, invalid endpoint',
  '304': 'ISO code invalid',
  '305': 'Transaction data not valid',
  '306': 'Merchant category code not valid for the payment system',
  '307': 'Serial number not valid',
  '402': 'Transaction timed out',
  '403': 'Transient system failure',
  '404': 'Permanent system failure',
  '405': 'System connection failure',
} as const

/** What went wrong with a message, by its three digits. */
export type ErrorCode = keyof typeof errorDescriptions

/** Who reports an error: the server, the directory, the issuer, or an SDK (`C`). */
export type ErrorComponent = 'S' | 'D' | 'A' | 'C'
