/** A part of an address, or of the name above it. */
export type AddressField = 'firstName' | 'lastName' | 'line1' | 'line2' | 'city' | 'state' | 'postalCode'

/** A country's names for the parts; each is the end of a text's key, such as `postalZip`. */
export type PostalWord = 'Postal' | 'Zip' | 'Postcode' | 'Eircode' | 'Pin' | 'Cep'
export type StateWord = 'State' | 'Province' | 'County' | 'Region' | 'Prefecture' | 'Emirate' | 'Canton'
export type CityWord = 'City' | 'Town' | 'Suburb'

/** How an address is written in a country. */
export interface AddressFormat {
  /** The fields in their order, those of one row together. */
  rows: readonly (readonly AddressField[])[]
  required: ReadonlySet<AddressField>
  /** `pattern` is of the whole code in capitals, or `null` where codes have no form that is known here. */
  postal: { word: PostalWord; pattern: RegExp | null; example: string; isNumeric: boolean }
  state: StateWord
  city: CityWord
  /** Whether its states are in a list to choose from, see `subdivisions`. */
  hasStateList: boolean
}
