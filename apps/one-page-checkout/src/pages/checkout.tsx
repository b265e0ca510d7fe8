import { CheckoutPage } from '../checkout/checkout-page.tsx'
import { startPage } from '../start-page.tsx'

void startPage(<CheckoutPage />)
