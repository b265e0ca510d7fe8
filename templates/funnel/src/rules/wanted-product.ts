/**
 * The products that an order may begin with, or ''.
 *
 * @param search The query of the page's address: `?variant=...` is a link to one product.
 * @param stepSettings The settings of the funnel's step, whose `variantId` comes before the page's own.
 * @param setting The page's own setting.
 */
export function wantedProduct(search: string, stepSettings: unknown, setting: string): { linked: string; own: string } {
  const ofStep: unknown = Object(stepSettings).variantId
  return {
    linked: new URLSearchParams(search).get('variant') ?? '',
    own: typeof ofStep === 'string' && ofStep !== '' ? ofStep : setting,
  }
}
