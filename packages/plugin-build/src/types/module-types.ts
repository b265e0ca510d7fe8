import { assetEndings } from '../bundle/asset-addresses.ts'

/** The types of imports that are no code: styles, the class names of CSS modules, and the addresses of assets. */
export const moduleTypes: string = [
  declare('*.module.css', 'names: { readonly [name: string]: string }'),
  "declare module '*.css' {}\n",
  ...assetEndings.map((ending) => declare(`*.${ending}`, 'address: string')),
].join('')

function declare(pattern: string, value: string): string {
  return `declare module '${pattern}' {\n  const ${value}\n  export default ${value.slice(0, value.indexOf(':'))}\n}\n`
}
