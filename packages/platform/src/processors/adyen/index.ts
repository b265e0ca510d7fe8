export { adyen } from './adyen.ts'
