import { startPage } from '../start-page.tsx'
import { ThankYouPage } from '../thank-you/thank-you-page.tsx'

void startPage(<ThankYouPage />)
