export { findByIds, findNamed, findOfCustomers, findOrdered, findPaid } from './find.ts'
export { amountFilters, type Condition, equalTo, type ListTable, readList } from './list.ts'
export { indexWords, metadataFilter, metadataWords, replaceWords } from './search.ts'
export { listsPersonalData } from './personal.ts'
