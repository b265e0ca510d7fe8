export {
  CLOCK_OFF_MS,
  type Cluster,
  type ClusterSnapshot,
  holderIsGone,
  joinCluster,
  type Member,
  processName,
} from './membership.ts'
