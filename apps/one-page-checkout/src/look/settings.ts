/** The settings with everything in them: what neither preset nor merchant says is as in the schema. */
export type Settings = Required<Tillwright.Config>

const defaults: Settings = {
  brandName: '',
  logo: '',
  colorAccent: '#1f4ed8',
  colorBackground: '#ffffff',
  colorSurface: '#f5f6f8',
  colorText: '#14171f',
  arrangement: 'split',
  typeface: 'sans',
  density: 'regular',
  corners: 'soft',
  fields: 'outlined',
  sections: 'plain',
  heading: {},
  intro: {},
  payLabel: {},
  thankYouHeading: {},
  thankYouText: {},
  products: [],
  quantityChoice: true,
  promotionCodes: true,
  currency: '',
  address: 'full',
  phone: 'optional',
  countries: [],
  defaultCountry: '',
  shipping: [],
  badges: [],
  supportEmail: '',
  termsUrl: '',
  privacyUrl: '',
  returnsUrl: '',
  continueUrl: '',
}

/**
 * The settings of a page: the live ones, with those of a template over them where the address names one
 * (`?template=gift-season`). A template that there is not changes nothing.
 */
export function readSettings(
  config: Tillwright.Config,
  templates: Readonly<Record<string, Record<string, unknown>>>,
  search: string,
): Settings {
  const name = new URLSearchParams(search).get('template') ?? ''
  const template = Object.hasOwn(templates, name) ? templates[name] : {}
  return { ...defaults, ...config, ...template }
}
