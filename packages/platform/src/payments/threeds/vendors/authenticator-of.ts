import type { ThreedsProviderName } from '@tillwright/contract'
import { answerAsVendorA } from './answer-as-vendor-a.ts'
import { answerAsVendorB } from './answer-as-vendor-b.ts'
import { askDirectory, type AnswerAreq } from '../ask-directory.ts'
import type { Authenticator } from '../provider.ts'
import { vendorA } from './vendor-a.ts'
import { vendorB } from './vendor-b.ts'

/** Authenticates at a directory, whose answers are told in the words of a vendor and read from them. */
export function authenticatorOf(name: ThreedsProviderName, answerAreq: AnswerAreq): Authenticator {
  switch (name) {
    case 'vendor_a':
      return vendorA(async (request) => answerAsVendorA(await askDirectory(request, answerAreq)))
    case 'vendor_b':
      return vendorB(async (request) => answerAsVendorB(await askDirectory(request, answerAreq)))
  }
}
