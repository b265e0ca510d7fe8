export { checkoutCom } from './checkout-com.ts'
