export { findByIds, findNamed, findOfCustomers, findOrdered, findPaid } from './find.ts'
export { among, amountFilters, type Condition, equalTo, type ListTable, readByIds, readList } from './list.ts'
export { findByMetadata, indexWords, metadataWords, replaceWords } from './search.ts'
