/** What of a dev server is no page: everything below this path. */
export const OWN_PATH = '/__tillwright/'
/** The plugin's modules, as Vite serves them. */
export const MODULES_PATH = `${OWN_PATH}vite/`
/** The platform's API. */
export const API_PATH = `${OWN_PATH}api`
/** Where a page whose token is refused gets another one. */
export const RENEW_PATH = `${OWN_PATH}renew`
