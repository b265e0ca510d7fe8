import type { PageData } from '../page/page-data.ts'

/** What a page may be told: that of a local platform's first page, unless `change` says otherwise. */
export function testData(change: Partial<PageData> = {}): PageData {
  return {
    apiUrl: 'http://localhost:4400',
    vaultUrl: 'http://localhost:4401',
    publishableKey: 'test_pk_page',
    storeId: 'store_test',
    deploymentId: 'deployment_test',
    pluginId: 'plugin_test',
    version: '1.0.0',
    basePath: '/',
    page: { id: 'home', path: '/', params: {} },
    config: {},
    templates: {},
    funnel: null,
    session: null,
    ...change,
  }
}
