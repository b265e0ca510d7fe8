export { formatOf } from './address-formats.ts'
export { countries } from './countries.ts'
export { subdivisionsOf } from './subdivisions.ts'
