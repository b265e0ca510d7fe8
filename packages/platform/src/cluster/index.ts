export { CLOCK_OFF_MS, type Cluster, type ClusterSnapshot, joinCluster, processName } from './membership.ts'
export { holderIsGone } from './tables.ts'
