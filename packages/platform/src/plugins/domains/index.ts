export { aliasesOfStore, listAliases, removeAlias, setAlias } from './aliases.ts'
export { promote } from './promote.ts'
export { listDomains, removeDomain } from './remove-domain.ts'
export { routesOfPlugin } from './routes.ts'
