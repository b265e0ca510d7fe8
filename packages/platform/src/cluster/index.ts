export {
  CLOCK_OFF_MS,
  type Cluster,
  type ClusterSnapshot,
  holderIsGone,
  joinCluster,
  processName,
} from './membership.ts'
