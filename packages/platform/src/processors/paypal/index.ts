export { paypal } from './paypal.ts'
