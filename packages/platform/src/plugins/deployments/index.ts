export { activate, rollback } from './activate.ts'
export { activationWrites, archive, movePointers } from './activation.ts'
export {
  type Deployment,
  findActive,
  findVersion,
  holdDeployment,
  listDeployments,
  managedDeployment,
  requireAny,
  requireDeployment,
  requirePlugin,
  toResource,
} from './deployments.ts'
export { listManaged } from './list.ts'
export { formerPictureWrites, pictureWrites } from './picture-writes.ts'
export { remove, restore, sweepRemoved } from './remove.ts'
