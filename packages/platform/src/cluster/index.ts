export { CLOCK_OFF_MS, type Cluster, type ClusterSnapshot, joinCluster, processName } from './membership.ts'
export type { Circuits } from './tables.ts'
export { sharedClock } from './shared-time.ts'
export { CLAIM_LEASE_MS, claimRows, holderIsGone, type Lease } from './claims.ts'
