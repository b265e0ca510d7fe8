import type { AddressField, AddressFormat, CityWord, PostalWord, StateWord } from './address-format.ts'

/**
 * The layout of an address: rows are parted by `/`, and a capital is a field that is required. F and L are the names, 1
 * and 2 the lines, C the city, S the state, Z the postal code.
 */
type Layout = string

interface Facts {
  layout?: Layout
  /** The form of a postal code, as the source of a regular expression. */
  code?: string
  example?: string
  postal?: PostalWord
  state?: StateWord
  city?: CityWord
  hasStateList?: boolean
}

const letters: Readonly<Record<string, AddressField>> = {
  f: 'firstName',
  l: 'lastName',
  '1': 'line1',
  '2': 'line2',
  c: 'city',
  s: 'state',
  z: 'postalCode',
}

const CODE_FIRST = 'FL/1/2/ZC'
const CODE_LAST = 'FL/1/2/CZ'
const WITH_STATE = 'FL/1/2/CSZ'
const CODE_THEN_STATE = 'FL/1/2/ZC/s'
/** Of other countries. */
const ANYWHERE: Facts = { layout: 'FL/1/2/Cz/s' }

const coded = (code: string): Facts => ({ code, layout: CODE_FIRST })
const four = coded('\\d{4}')
const five = coded('\\d{5}')

/** Address formats of single countries, by ISO 3166-1 alpha-2. Source: the addressing rules of the national posts. */
const facts: Readonly<Record<string, Facts>> = {
  AE: { layout: 'FL/1/2/CS', state: 'Emirate' },
  AR: { layout: 'FL/1/2/ZC/S', code: '[A-Z]?\\d{4}([A-Z]{3})?', example: 'C1425', state: 'Province' },
  AT: { ...four, example: '1070' },
  AU: { layout: WITH_STATE, code: '\\d{4}', example: '3056', postal: 'Postcode', city: 'Suburb', hasStateList: true },
  BE: { ...four, example: '1050' },
  BG: { ...four, example: '1000' },
  BR: { layout: 'FL/Z/1/2/CS', code: '\\d{5}-?\\d{3}', example: '01310-100', postal: 'Cep', hasStateList: true },
  CA: {
    layout: WITH_STATE,
    code: '[A-Z]\\d[A-Z] ?\\d[A-Z]\\d',
    example: 'M5V 2T6',
    state: 'Province',
    hasStateList: true,
  },
  CH: { ...four, example: '8004' },
  CL: { layout: 'FL/1/2/Cz/S', code: '\\d{3}-?\\d{4}', example: '832-0000', state: 'Region' },
  CN: { layout: 'LF/SC/1/2/Z', code: '\\d{6}', example: '200040', state: 'Province' },
  CO: { layout: 'FL/1/2/CS/z', code: '\\d{6}', example: '110111', state: 'Region' },
  CZ: { ...five, code: '\\d{3} ?\\d{2}', example: '110 00' },
  DE: { ...five, example: '10999' },
  DK: { ...four, example: '2200' },
  EE: { ...five, example: '10111' },
  EG: { layout: 'FL/1/2/CS/z', code: '\\d{5}', example: '11511', state: 'County' },
  ES: { layout: 'FL/1/2/ZC/S', code: '\\d{5}', example: '28004', state: 'Province' },
  FI: { ...five, example: '00100' },
  FR: { ...five, example: '75011' },
  GB: {
    layout: CODE_LAST,
    code: '[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}',
    example: 'SW1A 1AA',
    postal: 'Postcode',
    city: 'Town',
  },
  GR: { ...five, code: '\\d{3} ?\\d{2}', example: '104 31' },
  HK: { layout: 'FL/1/2/C', city: 'Suburb' },
  HR: { ...five, example: '10000' },
  HU: { layout: 'LF/ZC/1/2', code: '\\d{4}', example: '1052' },
  ID: { layout: 'FL/1/2/CS/Z', code: '\\d{5}', example: '10110', state: 'Province' },
  IE: {
    layout: 'FL/1/2/C/sz',
    code: '[A-Z]\\d[\\dW] ?[A-Z\\d]{4}',
    example: 'D08 X2Y4',
    postal: 'Eircode',
    state: 'County',
    city: 'Town',
  },
  IL: { layout: 'FL/1/2/Cz', code: '\\d{5}(\\d{2})?', example: '6100000' },
  IN: { layout: WITH_STATE, code: '[1-9]\\d{5}', example: '560001', postal: 'Pin', hasStateList: true },
  IT: { layout: 'FL/1/2/ZCS', code: '\\d{5}', example: '20121', state: 'Province' },
  JP: { layout: 'LF/ZS/C/1/2', code: '\\d{3}-?\\d{4}', example: '150-0001', state: 'Prefecture' },
  KR: { layout: 'LF/Z/SC/1/2', code: '\\d{5}', example: '04524', state: 'Province' },
  LT: { ...five, code: '(LT-)?\\d{5}', example: 'LT-01100' },
  LU: { ...four, code: '(L-)?\\d{4}', example: '1611' },
  LV: { ...four, code: '(LV-)?\\d{4}', example: 'LV-1010' },
  MA: { ...five, example: '20000' },
  MX: { layout: 'FL/1/2/ZC/S', code: '\\d{5}', example: '06700', hasStateList: true },
  MY: { layout: 'FL/1/2/ZC/S', code: '\\d{5}', example: '50480', postal: 'Postcode' },
  NL: { ...coded('[1-9]\\d{3} ?[A-Z]{2}'), example: '1012 AB' },
  NO: { ...four, example: '0150' },
  NZ: { layout: CODE_LAST, code: '\\d{4}', example: '6011', postal: 'Postcode', city: 'Town' },
  PL: { ...coded('\\d{2}-\\d{3}'), example: '00-001' },
  PT: { ...coded('\\d{4}-\\d{3}'), example: '1100-148' },
  RO: { layout: CODE_THEN_STATE, code: '\\d{6}', example: '010011', state: 'County' },
  SA: { layout: 'FL/1/2/CZ', code: '\\d{5}(-\\d{4})?', example: '11564' },
  SE: { ...five, code: '\\d{3} ?\\d{2}', example: '113 30' },
  SG: { layout: 'FL/1/2/Z', code: '\\d{6}', example: '238801' },
  SI: { ...four, example: '1000' },
  SK: { ...five, code: '\\d{3} ?\\d{2}', example: '811 01' },
  TR: { layout: CODE_THEN_STATE, code: '\\d{5}', example: '34433', state: 'Province' },
  TW: { layout: 'LF/ZC/1/2', code: '\\d{3}(\\d{2,3})?', example: '100' },
  UA: { ...five, example: '01001' },
  US: { layout: WITH_STATE, code: '\\d{5}(-\\d{4})?', example: '94107', postal: 'Zip', hasStateList: true },
  ZA: { layout: CODE_LAST, code: '\\d{4}', example: '8001', city: 'Suburb' },
}

/** How addresses are written in a country: of those that are not known, with all fields and little that is required. */
export function formatOf(country: string): AddressFormat {
  const { layout, code, example, postal, state, city, hasStateList } = { ...ANYWHERE, ...facts[country] }
  const rows = (layout ?? CODE_FIRST).split('/')
  return {
    rows: rows.map((row) => [...row].flatMap((letter) => letters[letter.toLowerCase()] ?? [])),
    required: new Set([...rows.join('')].flatMap(requiredField)),
    postal: {
      word: postal ?? 'Postal',
      pattern: code === undefined ? null : new RegExp(`^(${code})$`),
      example: example ?? '',
      isNumeric: code !== undefined && !code.includes('A-Z') && !code.includes('-') && !code.includes(' '),
    },
    state: state ?? 'State',
    city: city ?? 'City',
    hasStateList: hasStateList ?? false,
  }
}

/** The countries of which the form of an address is known. */
export const knownCountries: readonly string[] = Object.keys(facts)

function requiredField(letter: string): AddressField[] {
  const field = letters[letter.toLowerCase()]
  const isRequired = letter !== '2' && letter === letter.toUpperCase()
  return field !== undefined && isRequired ? [field] : []
}

/** Countries with a post: ISO 3166-1 alpha-2 without AQ, BV and HM, which have no inhabitants. */
export const countries: readonly string[] =
  `AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG
CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI
GL GM GN GP GQ GR GS GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ
LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL
NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR
SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM
ZW`.split(/\s/)

/** The states of countries whose posts want them: their codes of ISO 3166-2 without the country's, each with its name. */
const lists: Readonly<Record<string, string>> = {
  AU: 'ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|TAS Tasmania|VIC Victoria|WA Western Australia',
  BR: 'AC Acre|AL Alagoas|AP Amapá|AM Amazonas|BA Bahia|CE Ceará|DF Distrito Federal|ES Espírito Santo|GO Goiás|MA Maranhão|MT Mato Grosso|MS Mato Grosso do Sul|MG Minas Gerais|PA Pará|PB Paraíba|PR Paraná|PE Pernambuco|PI Piauí|RJ Rio de Janeiro|RN Rio Grande do Norte|RS Rio Grande do Sul|RO Rondônia|RR Roraima|SC Santa Catarina|SP São Paulo|SE Sergipe|TO Tocantins',
  CA: 'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NT Northwest Territories|NS Nova Scotia|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon',
  IN: 'AN Andaman and Nicobar Islands|AP Andhra Pradesh|AR Arunachal Pradesh|AS Assam|BR Bihar|CH Chandigarh|CG Chhattisgarh|DH Dadra and Nagar Haveli and Daman and Diu|DL Delhi|GA Goa|GJ Gujarat|HR Haryana|HP Himachal Pradesh|JK Jammu and Kashmir|JH Jharkhand|KA Karnataka|KL Kerala|LA Ladakh|LD Lakshadweep|MP Madhya Pradesh|MH Maharashtra|MN Manipur|ML Meghalaya|MZ Mizoram|NL Nagaland|OD Odisha|PY Puducherry|PB Punjab|RJ Rajasthan|SK Sikkim|TN Tamil Nadu|TS Telangana|TR Tripura|UP Uttar Pradesh|UK Uttarakhand|WB West Bengal',
  MX: 'AGU Aguascalientes|BCN Baja California|BCS Baja California Sur|CAM Campeche|CHP Chiapas|CHH Chihuahua|CMX Ciudad de México|COA Coahuila|COL Colima|DUR Durango|GUA Guanajuato|GRO Guerrero|HID Hidalgo|JAL Jalisco|MEX México|MIC Michoacán|MOR Morelos|NAY Nayarit|NLE Nuevo León|OAX Oaxaca|PUE Puebla|QUE Querétaro|ROO Quintana Roo|SLP San Luis Potosí|SIN Sinaloa|SON Sonora|TAB Tabasco|TAM Tamaulipas|TLA Tlaxcala|VER Veracruz|YUC Yucatán|ZAC Zacatecas',
  US: 'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|MP Northern Mariana Islands|PR Puerto Rico|VI U.S. Virgin Islands|AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific',
}

/** A state to choose. */
export interface Subdivision {
  code: string
  name: string
}

/** The states of a country, or none where there is no list. */
export function subdivisionsOf(country: string): readonly Subdivision[] {
  const entries = lists[country]?.split('|') ?? []
  return entries.map((entry) => ({
    code: entry.slice(0, entry.indexOf(' ')),
    name: entry.slice(entry.indexOf(' ') + 1),
  }))
}
