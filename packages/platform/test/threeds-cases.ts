import { bankDecidesAlone, bankLooksAtTheBrowser, buyerIsAsked, resultComesItsOwnWay } from './threeds-bank-cases.ts'
import type { ThreedsCase } from './threeds-case.ts'
import { buyerIsAskedElsewhere } from './threeds-elsewhere-cases.ts'
import { pageComesAndGoes, somebodyForges } from './threeds-page-cases.ts'

/** Every way that is shown in a browser, by what it is about. */
export const threedsCases: Readonly<Record<string, readonly ThreedsCase[]>> = {
  'the bank decides alone': bankDecidesAlone,
  'the buyer is asked': buyerIsAsked,
  'the bank asks in its app, without a page': buyerIsAskedElsewhere,
  'the bank looks at the browser': bankLooksAtTheBrowser,
  'the result comes its own way': resultComesItsOwnWay,
  'somebody forges': somebodyForges,
  'the page comes and goes': pageComesAndGoes,
}
