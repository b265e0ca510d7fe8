export { stripe } from './stripe.ts'
